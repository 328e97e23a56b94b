"""A small OpenML on this machine: the four addresses that scikit-learn's client asks for, and the ways they fail."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

DESCRIPTION, FEATURES, QUALITIES, DATA = (
    "/api/v1/json/data/{id}",
    "/api/v1/json/data/features/{id}",
    "/api/v1/json/data/qualities/{id}",
    "/data/v1/download/{id}",
)


class OpenMLServer:
    """Serves what `add` gave it. ``failures`` maps the start of a path to what goes wrong there:

    an HTTP status, ``"truncated"`` (half of what Content-Length promises), ``"garbage"``, ``"silent"`` (the address is
    accepted and never answered) or ``"closed"`` (the connection is dropped).
    """

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.failures: dict[str, int | str] = {}
        self.requests: list[str] = []
        self.stopped = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *args) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.http.server_port}"

    def add(self, data_id: int, name: str, arff: str, labels: Sequence[str], *, md5: str | None = None) -> None:
        """Offer an ARFF file as OpenML does; ``labels`` are its target columns."""
        content = arff.encode()
        sparse = "\n{" in arff.lower().partition("@data")[2]
        attributes = [line.split(maxsplit=2)[1:] for line in arff.splitlines() if line.lower().startswith("@attribute")]
        description = {
            "id": str(data_id),
            "name": name,
            "version": "1",
            "description": "A test.",
            "format": "Sparse_ARFF" if sparse else "ARFF",
            "status": "active",
            "file_id": str(data_id),
            "url": f"https://api.openml.org/data/v1/download/{data_id}/{name}.arff",
            "default_target_attribute": ",".join(labels),
            "md5_checksum": md5 or hashlib.md5(content).hexdigest(),
        }
        features = [
            {
                "index": str(j),
                "name": attribute,
                "data_type": "nominal" if kind.startswith("{") else kind.lower(),
                "is_target": str(attribute in labels).lower(),
                "is_ignore": "false",
                "is_row_identifier": "false",
                "number_of_missing_values": "0",
            }
            for j, (attribute, kind) in enumerate(attributes)
        ]
        rows = len([line for line in arff.lower().partition("@data")[2].splitlines() if line])
        for path, answer in (
            (DESCRIPTION, {"data_set_description": description}),
            (FEATURES, {"data_features": {"feature": features}}),
            (QUALITIES, {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": str(rows)}]}}),
        ):
            self.answers[path.format(id=data_id)] = json.dumps(answer).encode()
        # Newer clients follow the address in the description, older ones make it from the id of the file.
        for path in (urlsplit(description["url"]).path, DATA.format(id=data_id)):
            self.answers[path] = content

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.requests.append(handler.path)
        failure = next((what for path, what in self.failures.items() if handler.path.startswith(path)), None)
        body = self.answers.get(handler.path)
        if failure == "silent":
            self.stopped.wait(10)
            return
        if failure == "closed":
            handler.connection.close()
            return
        status = failure if isinstance(failure, int) else 200 if body is not None else 412
        compressed = gzip.compress(b"\0 garbage" if failure == "garbage" else body or b"{}")
        handler.send_response(status)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(compressed)))
        handler.end_headers()
        handler.wfile.write(compressed[: len(compressed) // 2] if failure == "truncated" else compressed)


@contextmanager
def openml_server() -> Iterator[OpenMLServer]:
    server = OpenMLServer()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.stopped.set()
        server.http.shutdown()
        server.http.server_close()
        thread.join()
