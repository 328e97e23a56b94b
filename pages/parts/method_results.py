"""Several methods, one after another, drawn as they arrive: a page need not wait for the slowest."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from mlfs.background import BackgroundJob
from mlfs.errors import MlfsError
from mlfs.evaluation import ExternalRanking
from mlfs.evaluation.protocols import Choice, method_and_parameters
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from pages.parts import background, errors, view
from pages.parts.words import literal

# What takes longer than this is shown as it grows, with a way out.
PATIENCE = 2.0


@dataclass(frozen=True)
class Failure:
    """Why a method has no result; the others go on."""

    sentence: str


class MethodResults:
    """One task for each method, worked on in a thread that outlives the run of the page.

    Parameters
    ----------
    name : of the work in this session; a new question under it takes the place of the one before
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._latest = background.live_job(f"{name}-work", pause=0.1)
        self.work = BackgroundJob()
        self.methods: list[str] = []
        self._chosen: dict[str, Choice] = {}

    def ask(self, question: Hashable, tasks: Mapping[str, Callable[[], Any]]) -> None:
        """Begin, unless this is being answered already, and wait a moment for all answers."""
        self.methods = list(tasks)
        attempts = [partial(_attempt, task) for task in tasks.values()]
        self.work = self._latest.start((question, *tasks), attempts)
        view.wait_for(self.work, len(tasks), PATIENCE)

    def ask_methods(self, question: Hashable, methods: Sequence[Choice], task: Callable[[Choice], Any]) -> None:
        """The same where one task is done for several methods, given with their parameters, or rankings."""
        self._chosen = {
            choice.setting
            if isinstance(choice, ExternalRanking)
            else method_text(*method_and_parameters(choice)): choice
            for choice in methods
        }
        self.ask(question, {word: partial(task, method) for word, method in self._chosen.items()})

    @property
    def rows(self) -> list[tuple[str, str, Any]]:
        """Id, parameters as JSON and result of the methods of `ask_methods`, as far as they are there."""
        chosen = ((method_and_parameters(self._chosen[word]), result) for word, result in self.results.items())
        return [(method, json.dumps(parameters), result) for (method, parameters), result in chosen]

    @property
    def results(self) -> dict[str, Any]:
        """Method → result, as far as they are there."""
        return {method: result for method, result in self._arrived() if not isinstance(result, Failure)}

    @property
    def failures(self) -> dict[str, str]:
        """Method → the sentence that says why it has no result."""
        return {method: result.sentence for method, result in self._arrived() if isinstance(result, Failure)}

    def show(self, draw: Callable[[], None]) -> None:
        """Draw what is there; while more is to come, again and again, below a line that says how far it is."""
        if self.work.running:
            background.follow(partial(self._show_progress, draw), self.name)
            return
        if self.work.cancelled:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"Stopped after {len(self._arrived())} of {len(self.methods)} methods.")
                st.button("Continue", key=f"{self.name}-again", on_click=self._again)
        draw()
        for method, sentence in self.failures.items():
            st.warning(literal(f"{setting_title(method)}: {sentence}"))

    def _show_progress(self, draw: Callable[[], None]) -> bool:
        done = len(self._arrived())
        if not self.work.running:
            return True
        with st.container(horizontal=True, vertical_alignment="center"):
            now = setting_title(self.methods[min(done, len(self.methods) - 1)])
            st.progress(done / len(self.methods), text=f"{done} of {len(self.methods)} methods; now {now}")
            st.button("Cancel", key=f"{self.name}-cancel", on_click=self.work.cancel)
        draw()
        return False

    def _arrived(self) -> list[tuple[str, Any]]:
        return list(zip(self.methods, self.work.results, strict=False))

    def _again(self) -> None:
        # What was found is kept by the explorer, so that only the rest takes time.
        self._latest.give_up()


def _attempt(task: Callable[[], Any]) -> Any:
    """One method's failure is its own: the others are still worth seeing."""
    try:
        return task()
    except (MlfsError, ValueError) as problem:
        return Failure(" ".join(str(problem).split()))
    except MemoryError:
        return Failure("There is not enough memory for this method on this data set.")
    except Exception:
        return Failure(errors.internal_error("It", "A method"))
