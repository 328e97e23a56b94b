"""The command line: the same work without a browser, with the same numbers as the library and the app.

`entry` runs a verb and turns whatever happens into an exit code; each verb has a module of its own, imported only when
it is asked for, so that ``mlfs --help`` need not wait for what it does not use.
"""

from mlfs.cli.entry import main

__all__ = ["main"]
