"""The app as a server: what it serves beside its pages, and what it does as it starts.

`streamlit run app.py` finds `app` here. What a visitor sees begins in pages/main.py; the theme is in .streamlit.
"""

import streamlit as st
from starlette.middleware import Middleware

from pages.parts import browser_scripts, owners, server

app = st.App(
    "pages/main.py",
    middleware=[
        Middleware(browser_scripts.ServeScripts, base=server.base_path()),
        Middleware(owners.GiveOwnerCookie),
    ],
    lifespan=server.lifespan,
)
