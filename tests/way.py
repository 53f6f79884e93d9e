"""A way to a server that can be cut, as where a phone loses its network: a relay of TCP connections on loopback.

A browser's own emulation of a lost network lets a request through now and then (a reloaded page and its worker are
told late). Here nothing arrives while the way is cut, whoever asks.
"""

import contextlib
import socket
import struct
import threading
from types import TracebackType
from urllib.parse import urlsplit

_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER: what is on its way is thrown away, and the other side is told


class Way:
    """A relay in front of `url`, itself at the address `self.url`. `cut` and `mend` may be called at any time."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None and parts.port is not None
        self._target = (parts.hostname, parts.port)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection; refuse new ones until `mend`. Nothing is handed on after this has returned."""
        with self._lock:
            self._is_cut = True
            for one in self._open:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                # What the other side has ended already needs no end.
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let new connections through again."""
        with self._lock:
            self._is_cut = False

    def __enter__(self) -> "Way":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        # A thread that waits in accept is not woken by close alone.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _address = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            with self._lock:
                if self._is_cut:
                    near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                    near.close()
                    far.close()
                    continue
                self._open |= {near, far}
            threads = [
                threading.Thread(target=self._hand_on, args=ends, daemon=True) for ends in ((near, far), (far, near))
            ]
            for thread in threads:
                thread.start()
            threading.Thread(target=self._close, args=(threads, near, far), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket) -> None:
        """Hand on what comes until one side ends."""
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._lock:
                    if self._is_cut:
                        return
                    sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def _close(self, threads: list[threading.Thread], *ends: socket.socket) -> None:
        for thread in threads:
            thread.join()
        with self._lock:
            self._open.difference_update(ends)
        for one in ends:
            one.close()
