"""Frames for many screens: packed once, readable by each, and waiting for none that is slow."""

from __future__ import annotations

import base64
import socket
import threading
import time

import pytest
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.events import TextMessage
from wsproto.extensions import Extension, PerMessageDeflate

from web.transport.frames import KEPT, Packing, pack
from web.transport.limits import HOLDER, STRANGER, Holder
from web.transport.websocket import Server, UnreadMessages

BROWSER = "permessage-deflate; client_max_window_bits"
VIEW = "".join(map(str, range(200_000)))
PRESS = pack('42["press",{"seat":1}]')


class Reader:
    """A screen at the other end of a real socket, which reads when it is told to."""

    def __init__(self, offer: str | None) -> None:
        with socket.create_server(("127.0.0.1", 0)) as door:
            self.socket = socket.create_connection(door.getsockname())
            here, _ = door.accept()
        self.socket.settimeout(60)
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        offered = {} if offer is None else {"HTTP_SEC_WEBSOCKET_EXTENSIONS": offer}
        self.line = Server(
            {
                "HTTP_HOST": "table",
                "HTTP_CONNECTION": "Upgrade",
                "HTTP_UPGRADE": "websocket",
                "HTTP_SEC_WEBSOCKET_VERSION": "13",
                "HTTP_SEC_WEBSOCKET_KEY": base64.b64encode(bytes(16)).decode(),
                "gunicorn.socket": here,
                HOLDER: Holder(STRANGER, "10.0.0.2"),
                **offered,
            }
        )
        head = self.socket.recv(4096).decode()
        agreed = [line for line in head.splitlines() if "permessage-deflate" in line]
        extensions: list[Extension] = []
        if agreed:
            extensions.append(PerMessageDeflate())
            extensions[0].finalize(agreed[0].partition(":")[2])
        self._protocol = Connection(ConnectionType.CLIENT, extensions)

    def read(self) -> str:
        read = ""
        while True:
            self._protocol.receive_data(self.socket.recv(65_536))
            for event in self._protocol.events():
                assert isinstance(event, TextMessage)
                read += event.data
                if event.message_finished:
                    return read

    def close(self) -> None:
        self.socket.close()
        self.line.thread.join(timeout=60)


@pytest.mark.parametrize(
    "offer",
    [
        pytest.param(BROWSER, id="a browser"),
        pytest.param(None, id="a client that can unpack nothing"),
        pytest.param("permessage-deflate; server_max_window_bits=9", id="one with little memory"),
    ],
)
def test_every_screen_can_read_every_message(offer: str | None) -> None:
    screen = Reader(offer)
    for size in (1, 125, 126, 600, 65_535, 65_536, 200_000):
        message = ("Ana Böhm und Zoë, " * size)[:size]
        sending = threading.Thread(target=screen.line.send, args=(message,))
        sending.start()
        assert screen.read() == message
        sending.join()
    screen.close()


def test_a_view_is_compressed_for_browsers_and_a_press_is_not() -> None:
    view = '{"name":"Ana"}' * 1000
    assert len(pack(view, compressed=True)) < len(view) / 10
    assert pack("short", compressed=True) == pack("short")


def test_the_same_message_is_packed_once_for_all() -> None:
    packing = Packing()
    view = "the whole table " * 1000
    first = packing.frame(view, True)
    assert packing.frame("".join(view), True) is first
    assert packing.frame(view, False) is not first
    for number in range(KEPT):
        packing.frame(f"another {number}", True)
    assert packing.frame(view, True) == first
    assert len(packing._kept) == KEPT


def test_a_press_overtakes_unless_something_waits() -> None:
    screen = Reader(BROWSER)
    outbox = UnreadMessages()
    assert not outbox.overtake(PRESS), "nobody is connected"
    outbox.line = screen.line
    assert outbox.overtake(PRESS)
    assert screen.read() == '42["press",{"seat":1}]'
    outbox.put("a view")
    assert not outbox.overtake(PRESS)
    screen.close()


def test_a_press_waits_for_no_screen_that_does_not_read() -> None:
    screen = Reader(None)
    sending = threading.Thread(target=screen.line.send, args=(VIEW,))
    sending.start()
    while screen.line.send_now(PRESS):
        time.sleep(0.001)
    assert screen.line.connected
    while screen.read() != VIEW:
        pass
    sending.join()
    screen.close()


def test_no_press_comes_into_the_middle_of_a_view() -> None:
    screen = Reader(None)
    sending = threading.Thread(target=screen.line.send, args=(VIEW,))
    sending.start()

    def press() -> None:
        while sending.is_alive():
            screen.line.send_now(PRESS)

    pressing = threading.Thread(target=press)
    pressing.start()
    while (read := screen.read()) != VIEW:
        assert read == '42["press",{"seat":1}]'
    screen.close()
    pressing.join()


def test_a_screen_that_takes_only_half_a_press_is_let_go() -> None:
    screen = Reader(BROWSER)
    long = pack("x" * 10_000_000)
    assert screen.line.send_now(long)
    read = 0
    while arrived := screen.socket.recv(1 << 20):
        read += len(arrived)
    assert read < len(long)
    screen.close()
