"""A slow network and a slow processor between a browser and its server, so that a test that races is seen to race.

`MLFS_SLOW` names what is slow, with commas between:

- `network`: each way takes 0.3 s, now and then 1 s;
- `random:7`: each way takes 0 to 1 s at random, drawn by the seed 7, now and then 3 s;
- `processor`: the browser's processor has a sixth of its speed.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

VARIABLE = "MLFS_SLOW"
PROCESSOR = 6
# In so many pieces of what is sent one way, one takes far longer than the others.
RARE = 10

Delays = Callable[[int], Iterator[float]]


def settings(text: str | None = None) -> tuple[Delays | None, int]:
    """How long a piece takes, for each way that is opened, and how many times slower the processor is."""
    delays, processor = None, 1
    for word in filter(None, (os.environ.get(VARIABLE, "") if text is None else text).split(",")):
        kind, _, seed = word.partition(":")
        if kind == "processor":
            processor = PROCESSOR
        elif kind == "network":
            delays = _steady
        elif kind == "random":
            delays = _random(int(seed or 0))
        else:
            raise ValueError(f"{VARIABLE} cannot be {word!r}: network, random:SEED or processor.")
    return delays, processor


def _steady(way: int) -> Iterator[float]:
    return (1.0 if piece % RARE == RARE - 1 else 0.3 for piece in count(way))


def _random(seed: int) -> Delays:
    def delays(way: int) -> Iterator[float]:
        draw = random.Random(f"{seed} {way}")
        while True:
            yield draw.random() * (3 if draw.randrange(RARE) == 0 else 1)

    return delays


@contextmanager
def slowed(address: str) -> Iterator[str]:
    """The address of the same server behind the network that `MLFS_SLOW` asks for."""
    delays, _ = settings()
    if delays is None:
        yield address
        return
    with delaying(urlsplit(address).port or 80, delays) as port:
        yield f"http://127.0.0.1:{port}"


def slow_down(page: Any) -> None:
    """Give a tab the processor that `MLFS_SLOW` asks for."""
    _, processor = settings()
    if processor > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": processor})


@contextmanager
def delaying(port: int, delays: Delays) -> Iterator[int]:
    """Pass on what comes to a free port to this one, and what comes back, each piece late and all in their order."""
    ways, ready, stop = count(), threading.Event(), asyncio.Event()
    found: list[Any] = []

    async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        late, clock = delays(next(ways)), asyncio.get_running_loop().time
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def send() -> None:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(due - clock())
                if not piece:
                    break
                target.write(piece)
                await target.drain()

        async def receive() -> None:
            piece = b"-"
            while piece:
                try:
                    piece = await source.read(1 << 16)
                except OSError:
                    piece = b""
                pieces.put_nowait((clock() + next(late), piece))

        with suppress(OSError):
            await asyncio.gather(send(), receive())

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            to_server = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        ends = (reader, to_server[1]), (to_server[0], writer)
        tasks = [asyncio.create_task(pass_on(*each)) for each in ends]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, to_server[1]):
            end.close()

    async def serve() -> None:
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        found.extend([asyncio.get_running_loop(), server.sockets[0].getsockname()[1]])
        ready.set()
        await stop.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait()
    loop, free = found
    try:
        yield free
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
