"""Twenty minutes of ten sessions over all pages: what the server's memory does, and what sessions that end leave."""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.serving import Usage, usage, verdict
from benchmarks.sessions import Lost, Request, Session
from pages.parts.menu import PAGES
from pages.parts.server import LOOK, SOONEST
from tests.browser.server import started

# Fewer minutes give a first impression.
MINUTES = float(os.environ.get("MLFS_SOAK_MINUTES", "20"))
SESSIONS, GROWTH = 10, 0.05
# Caches fill in the first quarter; from then on memory is to stay as it is.
WARM = MINUTES / 4
THOUGHT, PATIENCE, SAMPLE = 2.0, 60.0, 5.0
# How long Streamlit keeps a session whose window was closed, for it may come back.
KEPT = int(os.environ.get("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "120"))
# Large type hides the menu.
LEFT_ALONE = {"present"}


@dataclass
class Findings:
    """What the visitors met, and the server's use of the machine by second."""

    visits: int = 0
    lost: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    runs: list[Request] = field(default_factory=list)
    opened: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PAGES, 0))
    samples: list[tuple[float, Usage]] = field(default_factory=list)

    def memory(self, start: float, end: float) -> float:
        """The server's median between two moments, in MiB: workers of studies come and go, which would hide its own."""
        return statistics.median([each.server for at, each in self.samples if start <= at <= end] or [float("nan")])


def report() -> None:
    print(f"{SESSIONS} sessions for {MINUTES:g} minutes; each walks over the pages, ends, and is followed by another")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.txt"
        with started(log=log) as (address, process):
            asyncio.run(_soak(address, process))
        _, fault, details = log.read_text(encoding="utf-8", errors="replace").partition("Traceback")
        print(f"The server's log, from the first fault on:\n{fault}{details}" if fault else "The log has no fault.")


async def _soak(address: str, process: subprocess.Popen[bytes]) -> None:
    alone = usage(process.pid)
    found = Findings()
    stop = asyncio.Event()
    people = [
        asyncio.create_task(_visit_again_and_again(address, found, stop, random.Random(f"soak {number}")))
        for number in range(SESSIONS)
    ]
    start = time.monotonic()
    while (now := time.monotonic() - start) < 60 * MINUTES:
        found.samples.append((now, usage(process.pid)))
        if len(found.samples) % max(1, int(60 * WARM / SAMPLE)) == 0:
            print(f"after {now / 60:.1f} minutes: {_told(found.samples[-1][1])}", flush=True)
        await asyncio.sleep(SAMPLE)
    stop.set()
    await asyncio.gather(*people)
    last = usage(process.pid)
    print(f"after {MINUTES:g} minutes: {_told(last)}")
    _tell_of_visits(found)

    # A minute each, or less where the whole is short, so that no single moment decides.
    span = min(60.0, 20 * MINUTES / 4)
    then, end = found.memory(60 * WARM, 60 * WARM + span), found.memory(60 * MINUTES - span, 60 * MINUTES)
    growth = end / then - 1
    verdict(
        f"the server's memory after the first {WARM:g} minutes grows by less than {GROWTH:.0%}",
        growth < GROWTH,
        f"{then:.0f} MiB then, {end:.0f} MiB at the end: {growth:+.1%}",
    )

    await asyncio.sleep(KEPT + 5)
    # Streamlit forgets what is out of date when the next session ends.
    await _visit(address, Findings(), asyncio.Event(), random.Random("the last"), 1)
    # What they had goes with the next full collection, which waits for a quiet moment.
    await asyncio.sleep(SOONEST + 3 * LOOK)
    empty, sessions = usage(process.pid), _active_sessions(address)
    given = last.server - empty.server
    waited = KEPT + 5 + SOONEST + 3 * LOOK
    print(f"{waited:.0f} s after the last session ended: {_told(empty)}; {given:.0f} MiB of the server's given back")
    verdict(
        "sessions that end give back what they had",
        sessions == 0 and empty.server < then * (1 + GROWTH) and empty.threads <= alone.threads + SESSIONS,
        f"{sessions} sessions live; threads {alone.threads} at the start, {empty.threads} now; "
        f"memory {empty.server:.0f} MiB, {then:.0f} MiB with {SESSIONS} sessions",
    )


async def _visit_again_and_again(address: str, found: Findings, stop: asyncio.Event, chance: random.Random) -> None:
    while not stop.is_set():
        # Some see everything, some leave early.
        await _visit(address, found, stop, chance, chance.randint(3, len(PAGES)))


async def _visit(address: str, found: Findings, stop: asyncio.Event, chance: random.Random, pages: int) -> None:
    session = Session(address)
    found.visits += 1
    try:
        await _run(session, await session.open(), found)
        for label in chance.sample(PAGES, pages):
            if stop.is_set():
                break
            if label not in session.links:
                found.errors.append(f"a page without a link to {label}")
                break
            await _run(session, await session.follow(label), found)
            found.opened[label] += 1
            for _ in range(chance.randint(1, 2)):
                await asyncio.sleep(THOUGHT * chance.uniform(0.5, 1.5))
                await _change_something(session, found, chance)
            await asyncio.sleep(THOUGHT * chance.uniform(0.5, 1.5))
    except Lost as problem:
        found.lost.append(str(problem))
    found.errors += session.errors
    await session.close()


async def _change_something(session: Session, found: Findings, chance: random.Random) -> None:
    """Move a slider, turn a switch, choose another word: whatever the page offers."""
    offered = {
        key: others
        for key, widget in session.widgets.items()
        if key not in LEFT_ALONE
        and not widget.proto.disabled
        and (others := [each for each in widget.choices if each != session.value(key)])
    }
    if offered:
        key = chance.choice(sorted(offered))
        await _run(session, await session.move(key, chance.choice(offered[key])), found)


async def _run(session: Session, request: Request, found: Findings) -> None:
    found.runs.append(request)
    await session.finished(request, PATIENCE)


def _tell_of_visits(found: Findings) -> None:
    unfinished = sum(run.finished is None for run in found.runs)
    took = sorted(run.finished - run.sent for run in found.runs if run.finished is not None) or [float("nan")]
    print(
        f"{found.visits} sessions, {len(found.lost)} lost; {len(found.runs)} runs of a page, {unfinished} unfinished; "
        f"to the end of a run p50 {took[len(took) // 2]:.2f} s, p95 {took[int(0.95 * (len(took) - 1))]:.2f} s"
    )
    print("pages opened: " + ", ".join(f"{label} {times}" for label, times in found.opened.items()))
    problems = [*found.lost, *found.errors]
    for problem in dict.fromkeys(problems):
        print(f"{problems.count(problem)} × {problem}")


def _active_sessions(address: str) -> int:
    """As the server counts them."""
    with urllib.request.urlopen(f"{address}/_stcore/metrics?families=active_sessions", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith("active_sessions"))


def _told(use: Usage) -> str:
    return (
        f"memory {use.memory:.0f} MiB (the server {use.server:.0f}, workers of studies {use.memory - use.server:.0f}), "
        f"{use.threads} threads, {use.cpu:.0f} processor seconds"
    )
