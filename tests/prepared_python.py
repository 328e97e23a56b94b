"""Python processes that begin with the packages of others imported, which takes a second or two for each otherwise.

One process imports them, and nothing of mlfs, and is forked for each program: ``PreparedPython.words(...)`` stands for
``python ...`` in a command line. It is for tests that are not about what is imported. All workers of a run share the
process: the first that needs one starts it, and it ends with the last.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# What commands, programs of the documentation, tests and pages import.
PACKAGES = (
    *("numba", "numpy", "pandas", "plotly.graph_objects", "pytest", "scipy.io", "scipy.optimize", "scipy.stats"),
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection", "sklearn.neighbors", "sklearn.svm"),
    "streamlit.testing.v1",
)


class PreparedPython:
    """Ends with the ``with`` statement of the last that uses it, or with the last process that has begun one.

    Parameters
    ----------
    shared : a folder that all who share it have
    """

    _socket: str | None = None

    def __init__(self, shared: os.PathLike[str]) -> None:
        self._shared = shared

    def __enter__(self) -> PreparedPython:
        if sys.platform != "linux":
            return self  # other systems' own libraries do not bear a fork
        place = os.path.join(self._shared, "prepared-python")
        with _alone(f"{place}.lock"):
            try:
                with open(place, encoding="utf-8") as known:
                    folder = known.read()
                self._used = _use(folder)
            except OSError:  # none was started, or the last who used it has gone
                folder = self._start(f"{place}.lock")
                with open(place, "w", encoding="utf-8") as known:
                    known.write(folder)
        self._socket = os.path.join(folder, "python")
        return self

    def _start(self, lock: str) -> str:
        import subprocess
        import tempfile

        # The name of a socket has little room, and folders of tests have long names.
        folder = tempfile.mkdtemp(prefix="mlfs-")
        os.mkfifo(os.path.join(folder, "users"))
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        # A process with threads cannot be forked.
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        words = [sys.executable, "-P", __file__, "serve", folder, lock]
        with open(os.open(os.path.join(folder, "users"), os.O_RDONLY | os.O_NONBLOCK), "rb") as users:
            self._used = _use(folder)
            self._process = subprocess.Popen(words, env=environment, stdin=users, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        return folder

    def __exit__(self, *_: object) -> None:
        if self._socket:
            os.close(self._used)

    def words(self, *words: str) -> list[str]:
        """The command line for ``python WORDS``, where the first word is -, -c, -m or the name of a file."""
        if self._socket is None:
            return [sys.executable, *words]
        return [sys.executable, "-I", "-S", __file__, "ask", self._socket, *words]


def _use(folder: str) -> int:
    """The process ends when nobody holds what is opened here; once it is gone, it cannot be opened."""
    return os.open(os.path.join(folder, "users"), os.O_WRONLY | os.O_NONBLOCK)


@contextmanager
def _alone(lock: str) -> Iterator[None]:
    import fcntl

    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        yield


def ask(address: str, words: list[str]) -> int:
    """Have the words run with the input, output, folder and variables of this process; the exit code."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"3"], [0, 1, 2])
        with connection.makefile("rw", encoding="utf-8") as stream:
            stream.write(json.dumps([words, os.getcwd(), dict(os.environ)]) + "\n")
            stream.flush()
            return int(stream.readline())


def serve(folder: str, lock: str) -> list[str]:
    """Fork for each that asks, until nobody uses it; returns only in the forks, with the words to run there."""
    import gc
    import importlib
    import select
    import shutil

    for package in PACKAGES:
        importlib.import_module(package)
    gc.freeze()
    guards: set[int] = set()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.join(folder, "python"))
        listening.listen()
        print("ready", flush=True)
        while True:
            if sys.stdin in select.select([listening, sys.stdin], [], [])[0]:
                with _alone(lock):
                    if sys.stdin in select.select([sys.stdin], [], [], 0)[0]:  # nor has anybody come meanwhile
                        shutil.rmtree(folder)
                        break
                continue
            connection, _ = listening.accept()
            guard = os.fork()
            if guard == 0:
                listening.close()
                return _run_guarded(connection)
            connection.close()
            guards = {pid for pid in (*guards, guard) if not os.waitpid(pid, os.WNOHANG)[0]}
    for pid in guards:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    os._exit(0)


def _run_guarded(connection: socket.socket) -> list[str]:
    """Fork once more: one process waits for the other and tells how it ended."""
    os.setpgid(0, 0)
    _, descriptors, *_ = socket.recv_fds(connection, 1, 3)
    with connection, connection.makefile("rw", encoding="utf-8") as stream:
        words, folder, variables = json.loads(stream.readline())
        program = os.fork()
        if program:
            status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
            stream.write(f"{status if status >= 0 else 128 - status}\n")
            stream.flush()
            os._exit(0)
    for number, (descriptor, name) in enumerate(zip(descriptors, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(descriptor, number)
        os.close(descriptor)
        setattr(sys, name, os.fdopen(number, "w" if number else "r", 1, encoding="utf-8", closefd=False))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    return words


def become(words: list[str]) -> None:
    """What ``python WORDS`` does."""
    import runpy

    kind, *rest = words
    path = [os.path.abspath(place) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    sys.path[:0] = [os.path.dirname(os.path.abspath(kind)) if kind not in ("-", "-c", "-m") else os.getcwd(), *path]
    if kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind in ("-", "-c"):
        sys.argv = [kind, *rest[kind == "-c" :]]
        text = rest[0] if kind == "-c" else sys.stdin.read()
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = words
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        sys.exit(ask(sys.argv[2], sys.argv[3:]))
    become(serve(*sys.argv[2:]))
