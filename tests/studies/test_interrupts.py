"""Ctrl-C reaches every process of a terminal; workers leave it to their parent, so that none dies with a traceback."""

import signal
import subprocess
import sys

import pytest

from mlfs.studies.engines.local import _deaf_to_interrupts

ASK = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"


def hears_nothing():
    return subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows sends no signals to groups of processes")
def test_only_processes_started_inside_are_deaf():
    assert hears_nothing() == "False"
    with _deaf_to_interrupts():
        assert hears_nothing() == "True"
    assert hears_nothing() == "False"
