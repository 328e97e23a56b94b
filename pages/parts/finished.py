"""Finished studies as a source of results, for pages that test or draw what was computed elsewhere."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from mlfs.errors import StudyError
from pages.parts import names, studies
from pages.parts.data import titles


def choose_finished() -> tuple[str, pd.DataFrame]:
    """The sidebar's choice of a finished study: its name and its rows, data sets under the names people use."""
    store = studies.job_queue().store
    known = {str(study.id): study for study in reversed(store.studies(studies.viewer())) if study.state == "done"}
    if not known:
        names.keep("study")
        raise StudyError("There is no finished study here: run one on the Compare or the Sensitivity page.")
    with st.sidebar:
        chosen = names.choose_name("Study", list(known), "study", name=lambda key: f"{key}: {known[key].plan.name}")
    rows, plan = store.results(int(chosen)), known[chosen].plan
    return plan.name, rows.assign(dataset=rows["dataset"].map(titles(plan.datasets)))
