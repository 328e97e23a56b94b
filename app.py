"""The app as a server: what it serves beside its pages, and what it does as it starts.

`streamlit run app.py` finds `app` here. What a visitor sees begins in pages/main.py; the theme is in .streamlit.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.parts import plotly_js, start

app = st.App(
    "pages/main.py",
    routes=[Route(f"{start.base_path()}/{plotly_js.PATH}", plotly_js.serve)],
    middleware=[Middleware(plotly_js.Preload)],
    lifespan=start.lifespan,
)
