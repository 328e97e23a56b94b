"""The app: page set-up, theme, navigation, and a sentence in place of any traceback."""

import logging

import streamlit as st

from mlfs.errors import MlfsError

# An entry in the menu also brings Streamlit's switch between the light and the dark theme.
ABOUT = "**mlfs** — multi-label feature selection, a library and a dashboard. BSD-3-Clause."

# Streamlit writes in its figures with a pale grey; this gives them the ink of the page, in either theme.
INK = """<style>
.js-plotly-plot :is(.infolayer, .cartesianlayer) text { fill: currentColor !important; }
</style>"""

st.set_page_config(page_title="mlfs", layout="wide", menu_items={"About": ABOUT})
st.html(INK)
page = st.navigation([st.Page("pages/home.py", title="Home", default=True)])
try:
    page.run()
except MlfsError as error:
    st.error(str(error))
except Exception:
    logging.getLogger("mlfs").exception("The page %s failed", page.title)
    st.error("This page failed through a fault in mlfs: the terminal that runs the app shows which.")
