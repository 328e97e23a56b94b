"""Words of strangers are shown as they are."""

import pytest

from pages.parts.words import literal


@pytest.mark.parametrize(
    "harmless", ["n_labels must be from 0 to 6.", "did you mean 'els'?", "R & D, 5 < 6? No: plain", "a_b_c", "1:2"]
)
def test_plain_words_stay_readable(harmless):
    assert literal(harmless).replace("\\<", "<") == harmless


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("![x](y)", r"!\[x\](y)".replace("!", r"\!")),
        ("_x_ and __b__", r"\_x\_ and \_\_b\_\_"),
        (":smile:", r"\:smile:"),
        (":red[hot]", r"\:red\[hot\]"),
        ("$a$", r"\$a\$"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("<b>", r"\<b\>"),
        ("www.evil.example", "www\u2060.evil.example"),
        ("http://evil.example", "http\u2060://evil.example"),
        ("a@evil.example", "a@\u2060evil.example"),
    ],
)
def test_markup_is_taken_apart(told, shown):
    assert literal(told) == shown
