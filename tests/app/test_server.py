"""What the server does beside running pages: Plotly for the figures, the warm start, garbage, its end."""

import ast
import asyncio
import gc
import gzip
import itertools
import shutil
import sys
import threading
import tomllib
import weakref
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import plotly.graph_objects as go
import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from pages.parts import browser_scripts, chart, server
from tests.browser.server import started
from tests.waiting import GUARD, until

ROOT = Path(__file__).resolve().parents[2]
PLOTLY = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
STATIC = Path(streamlit.__file__).parent / "static" / "static"


@pytest.fixture(autouse=True)
def own_switches():
    """A server that starts has threads take turns sooner: not for the tests that follow."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def served(base=""):
    """The middleware before an app that has a page, and says "data" to all else."""
    routes = [
        Route(f"{base}/page", lambda request: HTMLResponse("<p>page</p>")),
        Route("/{path:path}", lambda request: PlainTextResponse("data"), methods=["GET", "POST", "HEAD"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(browser_scripts.ServeScripts, base=base)])


def get(path, base="", method="GET", **headers):
    """Headers and body, as a server would send them."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": asked}
    asyncio.run(served(base)(scope, receive, send))
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return told, b"".join(message.get("body", b"") for message in sent)


SCRIPT = next(STATIC.glob("js/index.*.js"))
STYLE = next(STATIC.glob("css/index.*.css"))
FONT = next(STATIC.glob("media/SourceSans*.woff2"))


@pytest.mark.parametrize("encoding", ["gzip, br", "identity"])
@pytest.mark.parametrize(
    ("path", "content", "kind"),
    [
        (
            browser_scripts.PLOTLY,
            Path(chart.__file__).with_name("plotly") / "plotly-cartesian.min.js",
            "text/javascript",
        ),
        (browser_scripts.WHOLE_PLOTLY, PLOTLY, "text/javascript"),
        (browser_scripts.FIGURES, Path(chart.__file__).with_name("figure.js"), "text/javascript"),
        (f"static/js/{SCRIPT.name}", SCRIPT, "text/javascript"),
        (f"static/css/{STYLE.name}", STYLE, "text/css"),
        (f"static/media/{FONT.name}", FONT, "font/woff2"),
    ],
)
def test_programs_are_served_whole_and_kept(path, content, kind, encoding):
    content = content if isinstance(content, bytes) else content.read_bytes()
    headers, body = get(f"/{path}", accept_encoding=encoding)
    packed = encoding.startswith("gzip") and kind != "font/woff2"
    assert (headers.get("content-encoding") == "gzip") == packed
    assert (gzip.decompress(body) if packed else body) == content
    assert headers["content-type"].startswith(kind)
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    ["/static/js/../../index.html", "/static/js/no.js", "/static/index.html", "/mlfs/figure.js", "//mlfs/x", "/"],
)
def test_everything_else_is_left_to_the_app(path):
    assert get(path)[1] == b"data"


def test_only_questions_below_the_app_are_answered():
    path = f"/{browser_scripts.FIGURES}"
    assert get(path, base="/mine")[1] == b"data"
    assert get(f"/mine{path}", base="/mine", accept_encoding="identity")[1].startswith(b"// A figure")
    assert get(path, method="POST")[1] == b"data"


def test_the_program_of_the_figures_is_named_by_its_content_and_not_sent_with_each():
    assert f"<./{browser_scripts.FIGURES}>; rel=modulepreload" in get("/page")[0]["link"].split(", ")
    assert browser_scripts.FIGURES in chart.LOADER
    assert len(chart.LOADER) < 600


def test_plotly_is_packed_once_and_well():
    browser_scripts.pack()
    packed = browser_scripts.packed(browser_scripts.PLOTLY)
    assert browser_scripts.packed(browser_scripts.PLOTLY) is packed
    assert len(packed) < 600_000


def test_a_page_asks_for_plotly_ahead():
    assert f"<./{browser_scripts.PLOTLY}>; rel=preload; as=script" in get("/page")[0]["link"].split(", ")
    assert "link" not in get("/data")[0]


def test_a_figure_is_drawn_by_the_smaller_plotly_where_that_can():
    assert browser_scripts.plotly_for([{"type": "bar"}, {}]) == browser_scripts.PLOTLY
    assert browser_scripts.plotly_for([{"type": "bar"}, {"type": "surface"}]) == browser_scripts.WHOLE_PLOTLY
    assert chart.serialised(go.Figure(go.Scatter(y=[1, 2]))).program == browser_scripts.PLOTLY
    assert chart.serialised(go.Figure(go.Scatter3d(x=[1], y=[2], z=[3]))).program == browser_scripts.WHOLE_PLOTLY


def test_a_page_asks_for_the_parts_of_streamlit_that_draw_its_elements():
    asked = get("/page")[0]["link"]
    folder = STATIC / "js"
    for element in browser_scripts.ELEMENTS:
        (script,) = folder.glob(f"{element}.*.js")
        assert f"<./static/js/{script.name}>; rel=modulepreload" in asked
    # What they import comes along, once, and nothing that Streamlit's page names itself.
    scripts = browser_scripts.element_scripts()
    assert len(scripts) == len(set(scripts)) > len(browser_scripts.ELEMENTS)
    page = (folder.parents[1] / "index.html").read_text(encoding="utf-8")
    assert not [script for script in scripts if script in page]


def test_runs_of_a_session_do_not_overlap_and_pages_are_taken_as_they_are():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["fastReruns"] is False
    assert settings["runner"]["magicEnabled"] is False


def test_the_server_is_found_as_streamlit_looks_for_it():
    from streamlit.web.server.app_discovery import discover_asgi_app

    found = discover_asgi_app(ROOT / "app.py")
    assert found.is_asgi_app
    assert found.import_string == "app:app"


def test_the_warm_start_imports_what_the_pages_import():
    names = server.page_imports()
    assert {"mlfs.plots", "mlfs.evaluation", "streamlit", "pages.parts.exports", "pages.parts.studies"} <= set(names)
    for page in (ROOT / "pages").glob("*.py"):
        for node in ast.walk(ast.parse(page.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module in names


def test_the_warm_start_keeps_the_first_data_set_ready():
    from pages.parts.data import shared_explorer

    server.warm_up()
    assert shared_explorer("emotions").explored("els")


def test_a_server_that_starts_and_warms_up_prints_its_address_and_nothing_else(tmp_path):
    """All that it prepares in advance, in the first quiet moment, which comes at once here."""
    shutil.copytree(ROOT / ".streamlit", tmp_path / ".streamlit")
    (tmp_path / "app.py").write_text(
        f"""
import pathlib
import streamlit as st
from pages.parts import server

server.LOOK, server.QUIET, server.SOONEST = 0.01, float("inf"), 0.0
server.at_every_cleanup(pathlib.Path("prepared").touch)
app = st.App({str(ROOT / "pages" / "main.py")!r}, lifespan=server.lifespan)
""",
        encoding="utf-8",
    )
    log = tmp_path / "log"
    with started(tmp_path / "app.py", log) as (address, _):
        until((tmp_path / "prepared").exists)
    said_at_the_end = "Stopping..."
    printed = [line.strip() for line in log.read_text(encoding="utf-8").replace(said_at_the_end, "").splitlines()]
    assert list(filter(None, printed)) == ["You can now view your Streamlit app in your browser.", f"URL: {address}"]


class Ring:
    """Garbage that only a collection finds."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def thawed():
    yield
    gc.unfreeze()


def test_what_was_set_aside_is_looked_through_again(thawed):
    ring = Ring()
    known = weakref.ref(ring)
    server.collect()
    assert gc.get_freeze_count() > 0
    del ring
    gc.collect()
    assert known() is not None  # Python alone does not look there
    server.collect()
    assert known() is None


@pytest.mark.parametrize(("share", "seconds", "expected"), [(0.0, 31, 1), (0.0, 29, 0), (0.9, 59, 0), (0.9, 61, 1)])
def test_collections_wait_for_a_quiet_moment_but_not_for_ever(monkeypatch, thawed, share, seconds, expected):
    """On a clock of the test's own: so many seconds at such a load of one core."""
    collected = []
    now = 0.0

    class Ended(threading.Event):
        def wait(self, timeout=None):
            nonlocal now
            now += timeout
            return now > seconds + timeout

    prepared = []
    monkeypatch.setattr(server, "prepare_papers", lambda: prepared.append(now))
    monkeypatch.setattr(server, "collect", lambda: collected.append(now))
    monkeypatch.setattr(server.time, "monotonic", lambda: now)
    monkeypatch.setattr(server.time, "process_time", lambda: share * now)
    monkeypatch.setattr(server, "LOOK", 1.0)
    server.clean_up_regularly(Ended())
    assert len(collected) == expected
    assert prepared == ([] if share > server.QUIET else [server.LOOK])


def test_papers_that_cannot_be_prepared_do_not_end_the_tidying(monkeypatch, thawed, caplog):
    looks, seconds = iter([False, False, True]), itertools.count()
    monkeypatch.setattr(server.time, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(server.time, "process_time", lambda: 0.0)
    monkeypatch.setattr(server, "prepare_papers", lambda: 1 / 0)
    server.clean_up_regularly(SimpleNamespace(wait=lambda seconds: next(looks)))
    assert next(looks, "all were made") == "all were made"
    assert "The warm-up failed" in caplog.text


def test_what_is_to_be_closed_is_closed_with_the_server(monkeypatch):
    closed = []
    monkeypatch.setattr(server, "_closing", [])
    monkeypatch.setattr(server, "_begin", lambda ended: closed.append(ended.wait(GUARD)))
    monkeypatch.setattr(server, "_ask_glibc", lambda *_: None)  # which could not be taken back
    server.at_end(lambda: closed.append("store"))

    async def serve():
        async with server.lifespan(None):
            assert closed == []

    asyncio.run(serve())
    assert "store" in closed


def test_what_the_c_library_keeps_is_bounded_where_it_can_be(monkeypatch):
    asked = []

    class Library:
        def mallopt(self, option, value):
            asked.append((option, value))

    async def serve():
        async with server.lifespan(None):
            pass

    monkeypatch.setattr(server, "_begin", lambda ended: None)
    monkeypatch.setattr(server.ctypes, "CDLL", lambda name: Library())
    asyncio.run(serve())
    # malloc.h: M_ARENA_MAX is -8, M_MMAP_THRESHOLD -3.
    assert asked == [(-8, server.HEAPS), (-3, server.OWN_PAGES)]

    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(server.ctypes, "CDLL", missing)
    asyncio.run(serve())  # another C library: nothing to ask
