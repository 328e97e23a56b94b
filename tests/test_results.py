"""Names of methods and their settings."""

import pandas as pd

from mlfs.results import setting_title, settings_of
from mlfs.tables.export import latex_escape


def test_one_setting_keeps_the_id_whatever_it_is():
    table = pd.DataFrame({"method": ["grro", "grro", "els"], "parameters": ['{"alpha": 10.0}'] * 2 + ["{}"]})
    assert list(settings_of(table)) == ["grro", "grro", "els"]


def test_several_settings_are_told_apart_and_the_default_keeps_the_id():
    own = ["{}", '{"alpha": 10.0, "variant": "authors"}', '{"rank": null}']
    names = settings_of(pd.DataFrame({"method": "grro", "parameters": own}, index=[7, 7, 8]))
    assert list(names) == ["grro", "grro:alpha=10,variant=authors", "grro:rank=none"]
    assert list(names.index) == [7, 7, 8]
    assert setting_title(names.iloc[1]) == "GRRO (α=10, authors)"


def test_tables_from_elsewhere_keep_their_words():
    table = pd.DataFrame({"method": ["mine", "mine", "mine"], "parameters": ["fast", "slow", None]})
    assert list(settings_of(table)) == ["mine:fast", "mine:slow", "mine"]
    assert setting_title("mine:fast") == "mine:fast"
    assert list(settings_of(table[["method"]])) == ["mine"] * 3


def test_settings_are_named_as_papers_do_and_compile_in_latex():
    assert setting_title("fimf:n_labels=3") == "FIMF (|Q|=3)"
    assert setting_title("elc:lambda_=3,max_iter=5") == "ELC (λ=3, iterations=5)"
    assert latex_escape(setting_title("grro:alpha=10,beta=0.1")) == r"GRRO ($\alpha$=10, $\beta$=0.1)"
