"""Who asks too much waits a little, and nobody who waits can keep the referee from the table."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.workers.gthread import ThreadWorker
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Request, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.frame_protocol import CloseReason

from tests.web.served import PATIENCE, Served, eventually
from web.access.guard import AT_ONCE, COSTS
from web.access.knock import KNOCKS
from web.access.pairing import TRIES, Pairing, TooManyTries, WrongCode
from web.transport.connections import TableWorker
from web.transport.frames import MESSAGE_SIZE, Connection
from web.transport.limits import ADDRESSES, Allowance, network
from web.transport.websocket import MESSAGES_UNREAD, Outbox


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_an_allowance_is_spent_and_comes_back():
    clock = Clock()
    allowance = Allowance(3, 2, clock)
    assert [allowance.take("ana") for _ in range(4)] == [0, 0, 0, 0.5]
    assert allowance.take("ben", 3) == 0
    clock.now += 0.5
    assert allowance.take("ana") == 0
    assert allowance.take("ana") > 0
    for _ in range(100):
        allowance.spend("ana")
    assert allowance.wait("ana") == 0.5


def test_only_so_many_addresses_are_remembered():
    allowance = Allowance(3, 2, Clock())
    for number in range(2 * ADDRESSES):
        allowance.take(str(number))
    assert len(allowance) == ADDRESSES


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fd00:1:2:3::1", "fd00:1:2:3:ffff::9", True),
        ("fd00:1:2:3::1", "fd00:1:2:4::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("nonsense", "nonsense", True),
    ],
)
def test_a_device_is_known_by_its_network(one, other, same):
    assert (network(one) == network(other)) is same


def test_while_the_code_can_be_seen_in_the_room_nobody_is_locked_out():
    pairing = Pairing(None, "ABCDEFGH", Clock())
    for _ in range(TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", "10.0.0.2")
    with pytest.raises(TooManyTries):
        pairing.pair("ABCDEFGH", "10.0.0.2")
    shown = True
    pairing.lenient = lambda: shown
    for _ in range(50):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", "10.0.0.2")
    assert pairing.role(pairing.pair("ABCDEFGH", "10.0.0.2")) == "referee"
    shown = False
    with pytest.raises(TooManyTries) as wait:
        pairing.pair("ABCDEFGH", "10.0.0.2")
    assert wait.value.seconds <= 13


def test_signing_out_all_others_makes_every_code_worthless(tmp_path):
    told: list[str] = []
    pairing = Pairing(tmp_path / "sessions.json", "ABCDEFGH", renewed=told.append)
    lost = pairing.pair("ABCDEFGH", "10.0.0.2")
    kept = pairing.pair("ABCDEFGH", "10.0.0.2")
    phone_code = pairing.code_of(2)
    phone = pairing.pair_phone(2, phone_code, "10.0.0.3")
    pairing.sign_out_others(kept)
    assert [pairing.role(token) for token in (kept, lost, phone)] == [
        "referee",
        "watcher",
        "watcher",
    ]
    assert told == [pairing.code]
    with pytest.raises(WrongCode):
        pairing.pair("ABCDEFGH", "10.0.0.4")
    with pytest.raises(WrongCode):
        pairing.pair_phone(2, phone_code, "10.0.0.4")
    again = Pairing(tmp_path / "sessions.json")
    assert [again.role(token) for token in (kept, lost, phone)] == ["referee", "watcher", "watcher"]
    assert pairing.has_a_place(kept)
    assert pairing.has_a_place(pairing.inner)
    assert pairing.role(pairing.inner) == "watcher"
    assert not any(pairing.has_a_place(token) for token in (lost, phone, None, "", "x"))


def test_a_given_up_code_stays_so_when_the_serving_process_is_replaced(served):
    old = served.code
    assert served.post("/api/sign-out/others", {}).status == 200
    new = served.get("/api/pairing").json["code"]
    assert new != old
    eventually(lambda: any(new in line for line in served.lines))
    (serving,) = served.children()
    os.kill(serving, signal.SIGKILL)
    eventually(lambda: served.children() not in ([], [serving]))

    def answers() -> Any:
        try:
            return served.post("/api/pair", {"code": old}, Cookie=None).status
        except OSError:
            return None

    assert eventually(answers) == 403
    assert served.post("/api/pair", {"code": new}, Cookie=None).status == 200


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("quiet"), "[server]\nknocks = false\n")
    served.pair()
    yield served
    served.stop()


def test_knocking_can_be_switched_off(quiet):
    for _ in range(2 * KNOCKS):
        for down in (True, False):
            assert quiet.post("/api/simulate", {"button": 4, "down": down}).status == 200
            time.sleep(0.03)
    assert quiet.get("/api/pairing", Cookie=None).status == 403
    assert quiet.state()["service"]["pairing"] is False


def test_who_asks_too_much_waits_and_the_referee_does_not(quiet):
    connection = http.client.HTTPConnection("127.0.0.1", quiet.port, timeout=PATIENCE)
    statuses = []
    for _ in range(AT_ONCE // 10 + 200):
        connection.request("GET", "/api/statistics")
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
        if answer.status == 429:
            break
    assert statuses[-1] == 429
    assert int(answer.headers["Retry-After"]) >= 1
    assert AT_ONCE // dict(COSTS)["/api/statistics"] <= len(statuses)
    connection.close()
    assert all(quiet.get("/api/statistics").status == 200 for _ in range(20))


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param("Content-Length: 20000", 413, id="too large to be read"),
        pytest.param("Transfer-Encoding: chunked", 411, id="of no known length"),
        pytest.param("X-Filler: " + "x" * 20_000, 431, id="headers without end"),
    ],
)
def test_a_request_out_of_bounds_is_turned_away_before_it_has_come(quiet, sent, status):
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE) as client:
        head = f"POST /api/commands HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\n{sent}"
        client.sendall(head.encode() + (b"" if status == 431 else b"\r\n\r\n"))
        assert client.recv(100).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_request_in_small_pieces_is_answered_like_any_other(quiet):
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = b'{"code": "x"}'
        pieces = (
            b"POST /api/pair HT",
            f"TP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\nContent-Type: application/json\r".encode(),
            f"\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:5],
            body[5:],
        )
        for piece in pieces:
            client.sendall(piece)
            time.sleep(0.05)
        assert client.recv(100).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(("cookies", "threads"), [("referee", "kept"), ("", "others")])
def test_the_referees_requests_have_threads_of_their_own(cookies, threads):
    given: list[str] = []

    class Threads:
        def __init__(self, name: str) -> None:
            self.name = name

        def submit(self, *_work: Any) -> Future[Any]:
            given.append(self.name)
            return Future()

    worker: Any = TableWorker.__new__(TableWorker)
    worker._kept, worker.tpool = Threads("kept"), Threads("others")
    worker.wsgi = SimpleNamespace(has_a_place=lambda said: said == "referee")
    worker.enqueue_req(SimpleNamespace(arrival=SimpleNamespace(cookies=cookies)))
    assert given == [threads]


@pytest.mark.parametrize(
    ("method", "path", "waited_for"),
    [
        pytest.param("POST", "/api/forget", True, id="every copy of the journal is written anew"),
        pytest.param("GET", "/api/forget", False, id="what would be forgotten is told at once"),
        pytest.param("POST", "/api/what-if", False, id="anything else"),
    ],
)
def test_only_forgetting_may_take_as_long_as_it_takes(
    method: str, path: str, waited_for: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Asker:
        live = False
        arrival = SimpleNamespace(unfinished=False)

        def __init__(self, sock: socket.socket) -> None:
            self.sock = sock

    def serve(worker: Any, *_: Any) -> None:
        worker.murder_pending()

    here, there = socket.socketpair()
    worker: Any = TableWorker.__new__(TableWorker)
    worker.alive, worker.pending_conns, worker._leaving = True, deque(), deque()
    asker = Asker(here)
    worker._since = {asker: 0.0}
    monkeypatch.setattr(ThreadWorker, "handle_request", serve)
    with here, there:
        worker.handle_request(SimpleNamespace(method=method, path=path, headers=[]), asker)
        there.setblocking(False)
        if waited_for:
            with pytest.raises(BlockingIOError):
                there.recv(1)
        else:
            assert there.recv(1) == b""


def test_a_script_of_another_page_gets_no_live_session(quiet):
    answer = quiet.get("/socket.io/?EIO=4&transport=polling&j=0")
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


def test_whoever_is_turned_away_gets_the_same_policy(quiet):
    answer = quiet.get("/", Host="evil.example")
    assert answer.status == 421
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "evil" not in str(answer.headers)


def test_a_cookie_that_is_no_text_is_as_good_as_none(quiet):
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE) as client:
        head = f"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\nCookie: ".encode()
        client.sendall(head + b"companion=\xff\xfe\r\nConnection: close\r\n\r\n")
        assert b'{"role":"watcher"}' in b"".join(iter(lambda: client.recv(4096), b""))


def test_what_a_client_does_not_read_is_left_out_and_the_end_is_not():
    outbox = Outbox()
    for number in range(MESSAGES_UNREAD):
        outbox.put(number)
    assert not outbox.left_out
    outbox.put("one too many")
    outbox.put(None)
    assert outbox.left_out
    waiting = [outbox.get() for _ in range(outbox.qsize())]
    assert waiting == [*range(MESSAGES_UNREAD), None]
    outbox.put("again")
    outbox.join()


def test_a_few_bytes_that_unpack_to_megabytes_end_the_connection():
    client, server = WSConnection(ConnectionType.CLIENT), Connection(ConnectionType.SERVER)
    hello = Request(host="table", target="/", extensions=[PerMessageDeflate()])
    server.receive_data(client.send(hello))
    assert [type(event) for event in server.events()] == [Request]
    client.receive_data(server.send(AcceptConnection()))
    assert [type(event) for event in client.events()] == [AcceptConnection]
    server.receive_data(client.send(TextMessage(data="x" * MESSAGE_SIZE)))
    (fine,) = server.events()
    assert isinstance(fine, TextMessage)
    bomb = client.send(TextMessage(data="x" * 4_000_000))
    assert len(bomb) < 5000
    server.receive_data(bomb)
    (end,) = server.events()
    assert isinstance(end, CloseConnection)
    assert end.code == CloseReason.MESSAGE_TOO_BIG
