"""``python -m mlfs`` is the command ``mlfs``."""

import sys

from mlfs.cli import main

if __name__ == "__main__":
    sys.exit(main())
