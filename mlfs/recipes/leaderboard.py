"""Methods again: the leaderboard and the card of a method, from the kept benchmark."""

from __future__ import annotations

from dataclasses import asdict

from mlfs.benchmark import LeaderboardSettings
from mlfs.checks import checked
from mlfs.recipes.writing import Recipe, command


@checked
def methods_leaderboard(settings: LeaderboardSettings, method: str) -> Recipe:
    """The ranks that were asked for, and what is known of one method."""
    usual = asdict(LeaderboardSettings())
    changed = {name: value for name, value in asdict(settings).items() if value != usual[name]}
    asked = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    python = f"""\
from mlfs.benchmark import card, leaderboard, overlaps, read_benchmark, stabilities

benchmark = read_benchmark()
board = leaderboard(benchmark{f", {asked}" if asked else ""})
print(board.sentence())
print(board.table.to_string())
known = card(benchmark, {method!r}, board, overlaps(benchmark), stabilities(benchmark))
print(known.standing(board))
print(known.wins_and_losses())
"""
    words = [word for name, value in changed.items() for word in (f"--{name}", value)]
    return Recipe(python, f"{command('benchmark', 'show', *words)}\n{command('benchmark', 'show', method, *words)}")
