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
from engineio.packet import MESSAGE, Packet
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Request, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.frame_protocol import CloseReason

from tests.kit.served import LINK, PATIENCE, Served, eventually
from web.access.devices import Browser
from web.access.guard import AT_ONCE, COSTS
from web.access.knock import KNOCKS
from web.access.pairing import Pairing, WrongCode
from web.transport.connections import BLOCKED, REQUEST, Connection, TableWorker, threads_for
from web.transport.frames import MESSAGE_SIZE
from web.transport.limits import (
    ADDRESSES,
    PLAYER,
    REFEREE,
    STRANGER,
    Allowance,
    Holders,
    held_by_most,
    network,
)
from web.transport.websocket import UNREAD, ScreenProtocol, UnreadMessages


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
        allowance.charge("ana")
    assert allowance.take("ana") == 0.5


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


def test_signing_out_all_others_makes_every_code_worthless(tmp_path):
    told: list[str] = []
    pairing = Pairing(tmp_path / "sessions.json", "ABCDEFGH", renewed=told.append)
    lost = pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    kept = pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    phone = pairing.pair_phone(2, pairing.code_of(2), Browser("10.0.0.3"))
    phone_code = pairing.code_of(2)
    pairing.sign_out_others(kept)
    assert [pairing.role(token) for token in (kept, lost, phone)] == [
        "referee",
        "watcher",
        "watcher",
    ]
    assert told == [pairing.code]
    with pytest.raises(WrongCode):
        pairing.pair("ABCDEFGH", Browser("10.0.0.4"))
    with pytest.raises(WrongCode):
        pairing.pair_phone(2, phone_code, Browser("10.0.0.4"))
    again = Pairing(tmp_path / "sessions.json")
    assert [again.role(token) for token in (kept, lost, phone)] == ["referee", "watcher", "watcher"]
    assert pairing.role(pairing.inner) == "watcher"
    ranks = {
        token: pairing.holder("10.0.0.9", f"t={token}", "t").rank for token in (kept, lost, phone)
    }
    assert ranks == {kept: REFEREE, lost: STRANGER, phone: STRANGER}
    assert pairing.holder("10.0.0.9", f"t={pairing.inner}", "t").rank == REFEREE
    assert pairing.holder("10.0.0.9", "nonsense", "t").name == "10.0.0.9"


def test_a_given_up_code_stays_so_when_the_serving_process_is_replaced(served):
    old, printed = served.code, len("".join(served.lines))
    assert served.post("/api/sign-out/others", {}).status == 200
    (new,) = eventually(lambda: [code for _, code in LINK.findall("".join(served.lines)[printed:])])
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
        quiet.push(4)
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


@pytest.mark.parametrize(
    ("held", "asks", "goes"),
    [
        pytest.param("XXXa", "b", "X", id="who has most gives way"),
        pytest.param("XXXa", "X", "", id="but not to itself"),
        pytest.param("abcX", "Y", "", id="of strangers with one each, who came last has to wait"),
        pytest.param("XYbc", "a", "Y", id="and gives way to who was there before"),
        pytest.param("abcP", "Q", "c", id="a player's first goes before a stranger's only one"),
        pytest.param("PPPPa", "b", "", id="a player may have several windows open"),
        pytest.param("PPPPPa", "b", "P", id="but not any number of them"),
        pytest.param("PQRS", "R", "", id="nor a referee's"),
        pytest.param("", "a", "", id="nobody has anything"),
    ],
)
def test_shares_are_fair(held: str, asks: str, goes: str) -> None:
    """Strangers a, b and c came early, X and Y late; P and Q play, R and S referee."""
    holders = Holders()
    ranks = {"P": PLAYER, "Q": PLAYER, "R": REFEREE, "S": REFEREE}
    known = {name: holders.person(ranks.get(name, STRANGER), name) for name in "abcPQRSXY"}
    to_go = held_by_most([(name, known[name]) for name in held], known[asks])
    assert to_go[-1:] == list(goes)


def test_only_a_proxy_that_is_named_is_believed():
    holders = Holders(["10.0.0.1"])
    assert holders.address("10.0.0.1", "1.2.3.4, 10.0.0.7") == "10.0.0.7"
    assert holders.address("10.0.0.1") == "10.0.0.1"
    assert holders.address("10.0.0.2", "10.0.0.7") == "10.0.0.2"


class Threads:
    """Threads in which every request goes on and on."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def submit(self, _work: Any, conn: Any) -> Future[Any]:
        self.given.append(conn)
        return Future()


class Asker:
    """A connection on which something was asked for."""

    def __init__(self, path: str, who: str) -> None:
        self.sock, self.there = socket.socketpair()
        self.client = (who, 1)
        self.arrival = SimpleNamespace(path=path, cookies=who, forwarded="")
        self.since = 0.0
        self.live = True

    kind = Connection.kind

    def is_cut(self) -> bool:
        self.there.setblocking(False)
        try:
            return self.there.recv(1) == b""
        except BlockingIOError:
            return False


@pytest.fixture
def worker() -> Iterator[Any]:
    """A worker whose strangers never finish, and who knows the referee by a cookie."""
    holders = Holders()
    worker: Any = TableWorker.__new__(TableWorker)
    worker.tpool, worker.alive, worker._served = Threads(), True, {}
    worker._waiting, worker._leaving, worker.pending_conns = deque(), deque(), deque()
    worker.cfg = SimpleNamespace(threads=threads_for(4))
    worker.method_queue = SimpleNamespace(defer=lambda *_: None)
    ranks = {"referee": REFEREE, "player": PLAYER}
    worker.wsgi = SimpleNamespace(
        holders=holders,
        holder=lambda _address, cookies: holders.person(ranks.get(cookies, STRANGER), cookies),
    )
    yield worker
    for asker in (*worker.tpool.given, *worker._waiting):
        asker.sock.close()
        asker.there.close()


@pytest.mark.parametrize("path", ["/api/session", "/api/matches.csv", "/socket.io/?EIO=4"])
def test_strangers_cannot_take_every_thread(worker, path):
    crowd = [Asker(path, "crowd") for _ in range(40)]
    for asker in crowd:
        worker.enqueue_req(asker)
    waits = len(worker.tpool.given)
    assert waits < 20
    for who in ("referee", "player"):
        worker.enqueue_req(Asker("/api/session", who))
        assert worker.tpool.given[-1].client[0] == who


def test_one_stranger_gets_a_few_threads_at_a_time(worker):
    for _ in range(40):
        worker.enqueue_req(Asker("/api/session", "crowd"))
    assert len(worker.tpool.given) == 3
    worker.enqueue_req(Asker("/api/session", "guest"))
    assert worker.tpool.given[-1].client[0] == "guest"


def test_who_takes_long_gives_way_to_somebody_who_has_less(worker):
    crowd = [Asker("/api/session", f"crowd {number % 3}") for number in range(40)]
    for asker in crowd:
        worker.enqueue_req(asker)
    served = [conn for conn in crowd if conn in worker._served]
    guest = Asker("/api/session", "guest")
    worker.enqueue_req(guest)
    assert not any(conn.is_cut() for conn in crowd)
    for conn in served:
        conn.since -= BLOCKED + 1
    worker.murder_pending()
    (gone,) = [conn for conn in served if conn.is_cut()]
    done: Future[Any] = Future()
    done.set_result(False)
    worker.finish_request = lambda *_: None
    worker._finish(gone, done)
    assert worker.tpool.given[-1] is guest


def test_nobody_is_cut_off_while_nobody_waits(worker):
    slow = [Asker("/api/everything.zip", "referee"), Asker("/api/matches.csv", "guest")]
    for conn in slow:
        worker.enqueue_req(conn)
        conn.since -= 100 * REQUEST
    worker.murder_pending()
    assert not any(conn.is_cut() for conn in slow)


def test_the_referee_may_take_every_file_at_once(worker):
    downloads = [Asker("/api/everything.zip", "referee") for _ in range(6)]
    for conn in (*downloads, Asker("/api/matches.csv", "guest")):
        worker.enqueue_req(conn)
    for conn in downloads:
        conn.since -= 100 * REQUEST
    worker.murder_pending()
    assert not any(conn.is_cut() for conn in downloads)


def test_a_stranger_never_cuts_the_referee_off(worker):
    downloads = [Asker("/api/everything.zip", "referee") for _ in range(2)]
    for download in downloads:
        worker.enqueue_req(download)
    for number in range(20):
        worker.enqueue_req(Asker("/api/matches.csv", f"guest {number}"))
    for conn in worker._served:
        conn.since -= 100 * REQUEST
    worker.murder_pending()
    assert not any(download.is_cut() for download in downloads)
    assert any(conn.is_cut() for conn in worker._served)


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
    outbox = UnreadMessages()
    views = [Packet(MESSAGE, "x" * (UNREAD // 2)) for _ in range(2)]
    for view in views:
        outbox.put(view)
    assert not outbox.left_out
    outbox.put(Packet(MESSAGE, "one too many"))
    outbox.put(None)
    assert outbox.left_out
    assert [outbox.get() for _ in range(outbox.qsize())] == [*views, None]
    outbox.put(views[0])
    assert outbox.qsize() == 1
    outbox.join()


def test_a_few_bytes_that_unpack_to_megabytes_end_the_connection():
    client, server = WSConnection(ConnectionType.CLIENT), ScreenProtocol(ConnectionType.SERVER)
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
