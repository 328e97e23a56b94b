"""What is run at every visit and every move: page set-up, menu, the page itself, a sentence in place of a traceback."""

import streamlit as st

from pages.parts import errors, link, menu, view

# An entry in the menu also brings Streamlit's switch between the light and the dark theme.
ABOUT = "**mlfs** — multi-label feature selection, a library and a dashboard. BSD-3-Clause."

st.set_page_config(layout="wide", menu_items={"About": ABOUT})
pages, page = menu.navigation()
here = link.start(page.title)
frame = view.Frame(pages)
complete = False
with errors.show_errors(page.title), view.DRAWING.entered():
    page.run()
    complete = True
here.close(complete)
frame.finish()
view.wait_for_more()
