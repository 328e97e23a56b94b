"""The app: page set-up, theme, navigation, and a sentence in place of any traceback."""

import logging

import streamlit as st

from mlfs.errors import MlfsError
from pages.parts import link, menu, view

# An entry in the menu also brings Streamlit's switch between the light and the dark theme.
ABOUT = "**mlfs** — multi-label feature selection, a library and a dashboard. BSD-3-Clause."

st.set_page_config(page_title="mlfs", layout="wide", menu_items={"About": ABOUT})
pages, page = menu.navigation()
here = link.start(page.title)
frame = view.Frame()
complete = False
try:
    page.run()
    complete = True
except MlfsError as error:
    st.error(str(error))
except Exception:
    logging.getLogger("mlfs").exception("The page %s failed", page.title)
    st.error("This page failed through a fault in mlfs: the terminal that runs the app shows which.")
here.close(complete)
frame.finish(pages)
