"""The questions a careful reader of the papers asks, each with an experiment that answers it.

A question has tables of numbers, kept from runs that were made (`Question.kept`) or measured anew (`Question.run`),
and sentences that are worded from them (`Question.findings`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mlfs.errors import ParameterError, did_you_mean
from mlfs.papers.questions import discretisation_and_scaling, elc_loop, label_columns
from mlfs.papers.questions.keeping import Kept, Run, keep
from mlfs.papers.questions.question import Question, Tables, Work

QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {module.QUESTION.id: module.QUESTION for module in (label_columns, elc_loop, discretisation_and_scaling)}
)


def get_question(name: str) -> Question:
    """
    >>> get_question("elc_loops")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: There is no question 'elc_loops': did you mean 'elc_loop'?
    """
    if name not in QUESTIONS:
        raise ParameterError(f"There is no question {name!r}: {did_you_mean(str(name), QUESTIONS)}")
    return QUESTIONS[name]


def questions_of(paper: str) -> list[Question]:
    """The questions that concern a paper.

    >>> [question.id for question in questions_of("zhou_2023_mapd")]
    ['label_columns']
    """
    return [question for question in QUESTIONS.values() if paper in question.papers]


__all__ = ["QUESTIONS", "Kept", "Question", "Run", "Tables", "Work", "get_question", "keep", "questions_of"]
