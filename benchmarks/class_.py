"""A class on Explore: thirty and fifty sessions that move sliders, and ten beside one that computes for long."""

from __future__ import annotations

import asyncio
import math
import os
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import shared_folder
from benchmarks.serving import Usage, usage, verdict
from benchmarks.sessions import Lost, Request, Session
from tests.browser.server import started

# How long each crowd moves its sliders; a shorter time gives a first impression.
SECONDS = float(os.environ.get("MLFS_CLASS_SECONDS", "60"))
THOUGHT = 2.0
# A first page, a move: who has waited longer than this has no answer.
PATIENCE_OPEN, PATIENCE_MOVE = 120.0, 30.0
CROWDS = {30: 1.0, 50: 3.0}  # sessions → seconds within which 95 % of the moves must be answered
BESIDE, TIMES = 10, 2.0

PAGE, QUERY, FIGURE = "explore", "data=yeast&method=grro", "curves-figure"
SLIDERS = ("grro.alpha", "grro.beta")
LONG = "data=bibtex&method=rfs"

EMPTY = """
import streamlit as st
st.write("value", st.slider("value", 0, 100, 50, key="value"))
"""


@dataclass
class Crowd:
    """What several sessions met."""

    opened: list[Request] = field(default_factory=list)
    moves: list[Request] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def between(self, start: float, end: float) -> Crowd:
        """The moves sent in a span of time."""
        return Crowd(self.opened, [move for move in self.moves if start <= move.sent < end], self.lost, self.errors)

    @property
    def unanswered(self) -> int:
        return sum(move.seconds is None for move in self.moves)

    def p(self, share: float, requests: Sequence[Request] | None = None) -> float:
        """The time within which this share of the requests was answered; what was not answered took for ever."""
        asked = self.moves if requests is None else requests
        waited = sorted(math.inf if each.seconds is None else each.seconds for each in asked)
        return waited[min(len(waited) - 1, math.ceil(share * len(waited)) - 1)] if waited else math.nan

    def times(self, requests: Sequence[Request] | None = None) -> str:
        """The middle, the 95th of a hundred, the longest."""
        shares = {"p50": 0.5, "p95": 0.95, "max": 1.0}
        return ", ".join(f"{name} {_time(self.p(share, requests))}" for name, share in shares.items())


def report() -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        with started(script) as (address, _):
            empty = asyncio.run(
                crowd(lambda: Session(address, answer=("markdown",)), 1, min(SECONDS, 20), sliders=("value",))
            )
    print(f"an empty page, one session: {len(empty.moves)} moves, {empty.times()}")
    with started() as (address, process):
        explore = _on_explore(address)
        # The first visitor of a server waits for what is computed once: compiled loops, tables of the data set.
        first = asyncio.run(crowd(explore, 1, 0))
        print(f"the first visitor of a new server: first figure after {_time(first.p(1, first.opened))}", flush=True)
        lone = _measured("one session", lambda: crowd(explore, 1, min(SECONDS, 30)), process.pid, None, empty)
        for count, bound in CROWDS.items():
            found = _measured(f"{count} sessions", lambda n=count: crowd(explore, n, SECONDS), process.pid, lone, empty)
            p95, missing = found.p(0.95), found.unanswered
            verdict(
                f"{count} sessions: none lost, every move answered, p95 at most {bound:g} s",
                not found.lost and not missing and p95 <= bound,
                f"{len(found.lost)} lost, {missing} of {len(found.moves)} unanswered, p95 {_time(p95)}",
            )
    _beside_a_long_computation()


async def crowd(
    visit: Callable[[], Session],
    count: int,
    seconds: float,
    *,
    sliders: Sequence[str] = SLIDERS,
    seed: int = 0,
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> Crowd:
    """Open so many sessions at once, and let each move a slider, look at the answer, think, and move again.

    They go on for so many seconds, or until `meanwhile` is done.
    """
    found = Crowd()
    sessions = [visit() for _ in range(count)]
    await asyncio.gather(*(_arrive(session, found) for session in sessions))
    present = [session for session in sessions if not session.lost]
    if seconds or meanwhile:
        stop = asyncio.Event()
        people = [
            asyncio.create_task(_move_about(session, found, stop, sliders, random.Random(f"{seed} {number}")))
            for number, session in enumerate(present)
        ]
        await (asyncio.sleep(seconds) if meanwhile is None else meanwhile())
        stop.set()
        await asyncio.gather(*people)
    found.lost = [session.lost for session in sessions if session.lost]
    found.errors = [error for session in sessions for error in session.errors]
    await asyncio.gather(*(session.close() for session in present))
    return found


async def _arrive(session: Session, found: Crowd) -> None:
    try:
        request = await session.open()
        found.opened.append(request)
        if await session.answered(request, PATIENCE_OPEN):
            # Who has the figure moves soon, whether or not the rest of the page is there.
            await session.finished(request, THOUGHT)
    except Lost:
        pass


async def _move_about(
    session: Session, found: Crowd, stop: asyncio.Event, sliders: Sequence[str], chance: random.Random
) -> None:
    # Not all at the same moment.
    await _think(THOUGHT * chance.random(), stop)
    try:
        while not stop.is_set():
            if not (drawn := [each for each in sliders if each in session.widgets]):
                await _think(THOUGHT, stop)  # the page is not there yet
                continue
            key = chance.choice(drawn)
            others = [each for each in session.widgets[key].choices if each != session.value(key)]
            move = await session.move(key, chance.choice(others))
            found.moves.append(move)
            await session.answered(move, PATIENCE_MOVE)
            await _think(THOUGHT * chance.uniform(0.75, 1.25), stop)
    except Lost:
        pass


async def _think(seconds: float, stop: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        pass


def _on_explore(address: str) -> Callable[[], Session]:
    return lambda: Session(address, PAGE, QUERY, answer_key=FIGURE)


def _measured(name: str, run: Callable[[], Awaitable[Crowd]], pid: int, lone: Crowd | None, empty: Crowd) -> Crowd:
    """Run a crowd and print what it met and what it cost."""
    before, start = usage(pid), time.perf_counter()
    own = time.process_time()
    found: Crowd = asyncio.run(run())  # type: ignore[arg-type]
    after, took = usage(pid), time.perf_counter() - start
    if lone is not None:
        print(f"{name}, all arriving at once: first figure after {found.times(found.opened)}")
    print(f"{name}: {len(found.moves)} moves, {found.unanswered} unanswered, {len(found.lost)} lost; {found.times()}")
    against = [f"{found.p(0.95) / empty.p(0.5):.1f} × a move of the empty page"]
    if lone is not None:
        against.append(f"{found.p(0.95) / lone.p(0.5):.1f} × the median of one session")
    print(f"{name}: the p95 is {', '.join(against)}")
    print(
        f"{name}: {_cost(before, after, len(found.moves), took)}; "
        f"this generator took {(time.process_time() - own) / took:.0%} of a core"
    )
    for problem, times in _counted([*found.lost, *found.errors]):
        print(f"{name}: {times} × {problem}")
    return found


def _cost(before: Usage, after: Usage, moves: int, took: float) -> str:
    cpu = after.cpu - before.cpu
    return (
        f"{cpu / max(moves, 1):.2f} processor seconds of the server per move ({cpu / took:.0%} of a core), "
        f"its memory {after.memory:.0f} MiB, {after.threads} threads"
    )


def _time(seconds: float) -> str:
    if math.isinf(seconds):
        return "never"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _counted(words: Sequence[str]) -> list[tuple[str, int]]:
    return [(word, words.count(word)) for word in dict.fromkeys(words)]


def _beside_a_long_computation() -> None:
    """The moves of ten before, and while an eleventh computes what takes minutes."""
    folder = shared_folder()
    if folder is None or not (folder / "bibtex").is_dir():
        print("beside RFS on bibtex: left out, its folder is not there (set MLFS_SHARED).")
        return
    with started(MLFS_DATA=str(folder)) as (address, _):
        asyncio.run(crowd(_on_explore(address), 1, 0))
        span = min(SECONDS, 30)
        begun: list[float] = []
        still: list[bool] = []

        async def meanwhile() -> None:
            await asyncio.sleep(span)
            other = Session(address, PAGE, LONG, answer_key=FIGURE)
            try:
                request = await other.open()
                await other.finished(request, PATIENCE_OPEN)
                begun.append(time.perf_counter())
                while time.perf_counter() < begun[0] + span and other.polling:
                    await asyncio.sleep(0.5)
                begun.append(time.perf_counter())
                still.append(other.polling)
                still.append(request.figure is None)
            except Lost:
                pass
            await other.close()

        start = time.perf_counter()
        found = asyncio.run(crowd(_on_explore(address), BESIDE, 0, meanwhile=meanwhile))
    if len(begun) < 2:
        verdict("RFS on bibtex does not stop the others", False, "its session was lost")
        return
    before, during = found.between(start, begun[0]), found.between(*begun)
    print(f"{BESIDE} sessions before: {len(before.moves)} moves, {before.unanswered} unanswered; {before.times()}")
    print(
        f"{BESIDE} sessions beside RFS on bibtex: {len(during.moves)} moves, {during.unanswered} unanswered; "
        f"{during.times()}; after {begun[1] - begun[0]:.0f} s it was "
        f"{'still computing' if still[0] else 'done'}, its first figure {'not yet ' if still[1] else ''}there"
    )
    ratio = during.p(0.95) / before.p(0.95)
    verdict(
        f"beside RFS on bibtex the p95 of the others at most {TIMES:g} times what it was",
        bool(during.moves) and not during.unanswered and not found.lost and ratio <= TIMES,
        f"{ratio:.1f} times, {len(found.lost)} lost",
    )
