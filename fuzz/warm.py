"""Everything that killed processes need, imported in the process that they are forked from."""

import logging
from importlib import import_module

logging.disable(logging.WARNING)  # what a browser would have is not missed here
server = import_module("pages.parts.server")
for name in (
    "mlfs.cli.study",
    "mlfs.cli.paper_run",
    "mlfs.studies.engines.local",
    "streamlit.testing.v1",
    *server.page_imports(),
):
    import_module(name)
