"""Workers that never work. Apart from the tests, so that the process that begins with one imports little."""

import os
import time


def never_ready(connection, runner):
    time.sleep(600)


def dies_at_once(connection, runner):
    os._exit(9)
