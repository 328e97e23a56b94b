"""Workers that never work. Apart from the tests, so that the process that begins with one imports little."""

import os
import time


def never_ready(connection):
    time.sleep(600)


def dies_at_once(connection):
    os._exit(9)
