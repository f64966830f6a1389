"""A line to a server that can be cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Passes bytes between a client and a server until it has passed so many, or is cut."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.port = self._ears.getsockname()[1]
        self.left: int | None = None
        """How many more bytes from the server pass before the line is cut; None for no end."""
        self._open: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._ears.accept()
                server = socket.create_connection(self._server)
                self._open += [client, server]
                threading.Thread(target=self._pass_on, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, True), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(4096):
                if counted and self.left is not None:
                    self.left -= len(data)
                    if self.left < 0:
                        self.cut()
                        return
                target.sendall(data)

    def cut(self) -> None:
        """Let nothing through any more."""
        self._ears.close()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@contextmanager
def line_to(uri: str) -> Iterator[Line]:
    """Give a line to the server at an address such as ``bolt://127.0.0.1:7687``."""
    host, port = uri.split("://")[1].split(":")
    line = Line(host, int(port))
    try:
        yield line
    finally:
        line.cut()
