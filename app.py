"""The app as a server: what it serves beside its pages, and what it does as it starts.

`streamlit run app.py` finds `app` here. What a visitor sees begins in pages/main.py; the theme is in .streamlit.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.parts import browser_scripts, owners, server

app = st.App(
    "pages/main.py",
    routes=[
        Route(f"{server.base_path()}/{browser_scripts.PLOTLY}", browser_scripts.serve_plotly),
        Route(f"{server.base_path()}/{browser_scripts.FIGURES}", browser_scripts.serve_figures),
    ],
    middleware=[Middleware(browser_scripts.NameScripts), Middleware(owners.GiveOwnerCookie)],
    lifespan=server.lifespan,
)
