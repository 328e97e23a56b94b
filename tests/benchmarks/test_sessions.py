"""The client of Streamlit's protocol: what a browser would send, and what it would see."""

import asyncio

import pytest

from benchmarks.sessions import Lost, Session, key_of
from tests.browser.server import started
from tests.waiting import GUARD

PAGE = """
import streamlit as st
value = st.slider("value", 0, 100, 50, key="value")
word = st.select_slider("word", ["one", "two", "three"], key="word")
st.query_params["shown"] = f"{value}-{word}"
st.plotly_chart({"data": [{"y": [value] * 5000}]}, key="picture")
if st.button("Again", key="again"):
    st.rerun()

@st.fragment(run_every=0.1)
def beat():
    st.session_state["beats"] = st.session_state.get("beats", 0) + 1
    st.slider("beats", 0, 10**6, st.session_state["beats"])
    if st.session_state["beats"] == 4:
        st.session_state["rested"] = True
        st.rerun()

if not st.session_state.get("rested"):
    beat()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    script = tmp_path_factory.mktemp("page") / "page.py"
    script.write_text(PAGE)
    with started(script) as (address, _):
        yield address


async def move_on(session):
    while True:
        await session.answered(await session.move("value", 1.0), GUARD)


async def visit(address, number):
    session = Session(address, answer_key="picture")
    try:
        shown = []
        assert await session.answered(await session.open(), GUARD)
        for key, value in (("value", 10.0 + number), ("word", "three"), ("value", 50.0)):
            move = await session.move(key, value)
            assert await session.answered(move, GUARD)
            assert await session.finished(move, GUARD)
            assert 0 < move.seconds <= move.finished - move.sent
            assert session.value(key) == value
            shown.append(session.query)
        return shown
    finally:
        await session.close()
        assert session.lost is None
        assert not session.errors


def test_each_of_several_sessions_is_answered_with_its_own_picture(address):
    async def several():
        return await asyncio.gather(*(visit(address, number) for number in range(3)))

    assert asyncio.run(several()) == [
        [f"shown={value}" for value in (f"{10 + number}-one", f"{10 + number}-three", "50-three")]
        for number in range(3)
    ]


def test_a_fragment_is_run_again_until_it_is_gone(address):
    async def look():
        session = Session(address)
        assert await session.finished(await session.open(), GUARD)
        assert session.polling
        async with asyncio.timeout(GUARD):
            while session.polling:
                await asyncio.sleep(0.05)
        again = await session.press("again")
        assert await session.finished(again, GUARD)
        assert not session.polling
        await session.close()

    asyncio.run(look())


def test_a_session_without_a_server_is_lost():
    async def knock():
        session = Session("http://127.0.0.1:9")
        with pytest.raises(Lost, match="no connection"):
            await session.open()
        assert session.lost

    asyncio.run(knock())


def test_a_session_whose_server_ends_is_lost(tmp_path):
    script = tmp_path / "page.py"
    script.write_text(PAGE)

    async def stay(address, process):
        session = Session(address)
        assert await session.answered(await session.open(), GUARD)
        process.terminate()
        with pytest.raises(Lost):
            await move_on(session)
        await session.close()
        assert "closed by the server" in session.lost

    with started(script) as (address, process):
        asyncio.run(stay(address, process))


def test_the_choices_of_a_widget_are_those_it_offers(address):
    async def look():
        session = Session(address)
        assert await session.finished(await session.open(), GUARD)
        await session.close()
        return {key: widget.choices for key, widget in session.widgets.items() if key in ("value", "word", "again")}

    choices = asyncio.run(look())
    assert choices == {"value": [float(stop) for stop in range(101)], "word": ["one", "two", "three"], "again": []}


def test_an_id_tells_the_key():
    assert key_of("$$ID-0f3a-curves-figure") == "curves-figure"
    assert key_of("$$ID-0f3a-None") == ""
    assert key_of("") == ""
