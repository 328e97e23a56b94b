"""``python -m fuzz [PART …]``: try one seed after the other, and tell what went wrong."""

from __future__ import annotations

import argparse
import os
import sys
import time

from fuzz import trials

PARTS = ("files", "calls", "links")
LONG = ("kill", "kill-study", "kill-app", "kill-paper")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all of these), or {', '.join(LONG)}"
    )
    parser.add_argument("--seconds", type=float, help="for all parts together (default: $SECONDS, or 60)")
    parser.add_argument("--count", type=int, help="so many seeds of each part, however long it takes")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    given = parser.parse_args(words)
    unknown = [part for part in given.parts if part not in (*PARTS, *LONG)]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}: choose from {', '.join((*PARTS, *LONG))}")
    parts = given.parts or list(PARTS)
    seconds = given.seconds or float(os.environ.get("SECONDS") or 60)
    findings = 0
    for part in parts:
        if part in LONG:
            from fuzz import kill

            kinds = [part.removeprefix("kill-")] if part != "kill" else list(kill.KINDS)
            findings += kill.report(kinds, given.count, given.seed)
        else:
            findings += _report(part, given, None if given.count is not None else seconds / len(parts))
    return 1 if findings else 0


def _report(part: str, given: argparse.Namespace, seconds: float | None) -> int:
    findings = tried = 0
    said = time.monotonic()
    for news in trials.run(part, start=given.seed, count=given.count, seconds=seconds, workers=given.workers):
        if isinstance(news, int):
            tried = news
            if time.monotonic() - said > 60:
                said = time.monotonic()
                print(f"{part}: {tried} tried, {findings} findings", flush=True)
        else:
            findings += 1
            print(news, flush=True)
    print(f"{part}: {tried} tried from seed {given.seed} on, {findings} findings.", flush=True)
    return findings


if __name__ == "__main__":
    sys.exit(main())
