"""Trials in worker processes: a crash of the interpreter, a hang and too much memory are findings like any other."""

from __future__ import annotations

import importlib
import itertools
import multiprocessing
import os
import resource
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

CPU_SECONDS = 30  # of one trial; the clock on the wall says nothing on a busy machine
WALL_SECONDS = 1800.0
BATCH = 25
# A worker that has grown a little by each of thousands of trials begins anew.
TRIALS_OF_A_WORKER = 5000
MIB = 1024


@dataclass(frozen=True)
class Finding:
    """What went wrong in the trial of a seed."""

    part: str
    seed: int
    problem: str

    def __str__(self) -> str:
        return f"{self.part} {self.seed}: {self.problem}\n    python -m fuzz {self.part} --seed {self.seed} --count 1"


def try_seed(part: str, seed: int) -> str | None:
    """One trial, in this process: what is wrong, a foreign exception included."""
    try:
        problem: str | None = importlib.import_module(f"fuzz.{part}").check(seed)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = " ".join(str(error).split())[:200]
        return f"{type(error).__name__}: {said} ({os.path.basename(where.filename)}, line {where.lineno})"
    return problem


def _work(part: str, connection: Connection) -> None:
    """Take batches of seeds; tell each before it begins, and what came of it."""
    module = importlib.import_module(f"fuzz.{part}")
    most = getattr(module, "MOST_MIB", None)
    for seed in range(3):  # what is imported late does not count
        try_seed(part, seed)
    with_memory = most is not None
    while (batch := connection.recv()) is not None:
        for seed in batch:
            used = resource.getrusage(resource.RUSAGE_SELF)
            seconds = int(used.ru_utime + used.ru_stime) + CPU_SECONDS + 1
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
            connection.send((seed, None))
            problem = try_seed(part, seed)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used.ru_maxrss) / MIB
            if problem is None and with_memory and grown > most:
                problem = f"took {grown:.0f} MiB"
            connection.send((seed, problem or ""))
        connection.send(("next", None))


class _Worker:
    def __init__(self, part: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(part, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.seed: int | None = None
        self.since = time.monotonic()
        self.trials = 0
        self.waiting: list[int] = []

    def give(self, batch: list[int]) -> None:
        self.waiting = list(batch)
        self.connection.send(self.waiting)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def run(
    part: str, *, start: int = 0, count: int | None = None, seconds: float | None = None, workers: int = 1
) -> Iterator[Finding | int]:
    """Try one seed after the other until so many are tried, or the time is over: findings, and how many were tried."""
    ends = None if seconds is None else time.monotonic() + seconds
    seeds = iter(range(start, start + count)) if count is not None else itertools.count(start)
    tried = 0
    team = [_Worker(part) for _ in range(workers)]
    for worker in list(team):
        _feed(worker, seeds, team)
    while team:
        ready = wait([worker.connection for worker in team], timeout=5)
        for worker in list(team):
            if worker.connection in ready:
                try:
                    seed, problem = worker.connection.recv()
                except (EOFError, ConnectionResetError):
                    yield from _ended(part, worker)
                    tried += worker.seed is not None
                    team[team.index(worker)] = fresh = _replaced(part, worker)
                    _feed(fresh, seeds, team)
                    continue
                worker.since = time.monotonic()
                if seed == "next":
                    yield tried
                    if ends is not None and time.monotonic() > ends:
                        seeds = iter(())
                    if worker.trials >= TRIALS_OF_A_WORKER:
                        team[team.index(worker)] = worker = _replaced(part, worker)
                    _feed(worker, seeds, team)
                elif problem is None:
                    worker.seed = seed
                else:
                    tried, worker.trials = tried + 1, worker.trials + 1
                    worker.waiting.remove(seed)
                    worker.seed = None
                    if problem:
                        yield Finding(part, seed, problem)
            elif time.monotonic() - worker.since > WALL_SECONDS and worker.seed is not None:
                worker.process.kill()  # its end is noticed above
    yield tried


def _feed(worker: _Worker, seeds: Iterator[int], team: list[_Worker]) -> None:
    """What another left undone, else the next batch; without one it ends."""
    if batch := worker.waiting or list(itertools.islice(seeds, BATCH)):
        worker.give(batch)
    else:
        worker.end()
        team.remove(worker)


def _ended(part: str, worker: _Worker) -> Iterator[Finding]:
    worker.process.join()
    if worker.seed is None:
        raise RuntimeError(f"a worker of fuzz {part} ended before its first trial")
    worker.waiting.remove(worker.seed)
    code = worker.process.exitcode
    problem = {-24: f"took more than {CPU_SECONDS} s", -9: f"hung for {WALL_SECONDS:.0f} s, or took all the memory"}
    yield Finding(part, worker.seed, problem.get(code or 0, f"the interpreter ended with code {code}"))


def _replaced(part: str, worker: _Worker) -> _Worker:
    """A new worker that goes on with what the old one leaves."""
    worker.end()
    fresh = _Worker(part)
    fresh.waiting = worker.waiting
    return fresh
