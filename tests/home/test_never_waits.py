"""The table never waits for its home: it answers while the network hangs, however long that takes.

Nothing here is timed. The network hangs until the table has answered; a bridge that let the table
wait for it could never get that far, and one that does so is caught by the same question.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from companion.home.bridge import Bridge
from companion.home.connection.broker_thread import Pace
from companion.home.connection.mailbox import MOMENTS_KEPT, RULINGS_KEPT
from companion.referee import commands as c
from companion.referee.events import Event, RulingGiven
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Table
from companion.referee.sentences import say
from companion.service.worker import Listener
from companion.settings.broker import Home
from tests.kit.night import ANA, BEN, Night, until

ANSWERS = 60
IDENTITY = "table_companion_0123456789ab"
QUICK = Pace(first_rest=0.01)


class Waited(Exception):
    """The table did not answer while the network hung."""


def answers_while(night: Night, hangs: Callable[[], bool], patience: float) -> int:
    """Count how often the table answers, all the while in which the network hangs."""
    for number in range(ANSWERS):
        assert hangs(), "the network was to hang all the while"
        night.press(BEN)
        answer = night.worker.submit(c.Rename(ANA, f"Ana {number}"))
        try:
            answer.result(patience)
        except TimeoutError:
            raise Waited(f"after {number} answers") from None
    assert hangs()
    return ANSWERS


class Hanging:
    """Stands in for a step of the network that hangs until it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.let_go = threading.Event()

    def __call__(self, *_: object, **__: object) -> object:
        self.entered.set()
        self.let_go.wait()
        raise OSError("let go")

    def hangs(self) -> bool:
        return self.entered.is_set() and not self.let_go.is_set()


@contextmanager
def listening(night: Night, listener: Listener) -> Iterator[None]:
    leave = night.worker.subscribe(listener)
    try:
        yield
    finally:
        leave()


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("socket.getaddrinfo", id="looking the name up"),
        pytest.param("socket.create_connection", id="connecting"),
        pytest.param("companion.home.connection.line.BrokerLine.send", id="sending"),
        pytest.param("companion.home.connection.line.BrokerLine.wait", id="listening"),
        pytest.param(
            "companion.home.connection.outgoing.state_of", id="putting the words together"
        ),
    ],
)
def test_the_table_answers_while_the_bridge_hangs(night, broker, monkeypatch, step):
    hanging = Hanging()
    night.deal()
    bridge = Bridge(Home(host="localhost", port=broker.port), IDENTITY, night.table, pace=QUICK)
    monkeypatch.setattr(step, hanging)
    bridge.start()
    with listening(night, bridge.put):
        night.do(c.Rename(ANA, "Anna"))
        until(hanging.entered.is_set)
        assert answers_while(night, hanging.hangs, 60) == ANSWERS
    hanging.let_go.set()
    bridge.close()
    until(lambda: not bridge._thread.is_alive())


def test_the_table_answers_while_somebody_accepts_and_never_answers(night):
    with socket.create_server(("127.0.0.1", 0)) as hole:
        port = hole.getsockname()[1]
        bridge = Bridge(Home(host="127.0.0.1", port=port), IDENTITY, night.table, pace=QUICK)
        night.deal()
        with listening(night, bridge.put):
            bridge.start()
            caller, _ = hole.accept()
            with caller:
                assert caller.recv(1) == b"\x10", "the bridge greets"
                assert answers_while(night, lambda: not bridge.status().connected, 60) == ANSWERS
        bridge.close()
        assert not bridge._thread.is_alive()


def test_a_bridge_that_let_the_table_wait_would_be_caught(night):
    """The same question, put to a bridge that publishes on the worker's own thread."""
    hanging = Hanging()
    night.deal()

    def waits(_table: Table, _events: Sequence[Event]) -> None:
        hanging()

    with listening(night, waits):
        night.press(BEN)
        until(hanging.entered.is_set)
        with pytest.raises(Waited):
            answers_while(night, hanging.hangs, 1)
        hanging.let_go.set()
    night.settle()


def test_closing_the_table_does_not_wait_for_a_name_that_is_never_found(night, monkeypatch):
    hanging = Hanging()
    bridge = Bridge(Home(host="nowhere.test"), IDENTITY, night.table, pace=QUICK)
    monkeypatch.setattr("socket.getaddrinfo", hanging)
    bridge.start()
    until(hanging.entered.is_set)
    bridge.close()
    assert hanging.hangs(), "closing came back first"
    hanging.let_go.set()
    until(lambda: not bridge._thread.is_alive())


def test_a_long_outage_costs_the_oldest_rulings_and_no_memory(night):
    bridge = Bridge(Home(host="127.0.0.1"), IDENTITY, night.table)
    more = 1000
    for number in range(more):
        ruling = Ruling(number, "R13", "caught", say("caught", name="Ben", cards=2), 0, (BEN,))
        bridge.put(night.table, (RulingGiven(ruling),))
    assert len(bridge._mailbox) == RULINGS_KEPT <= RULINGS_KEPT + MOMENTS_KEPT
    assert bridge.status().dropped == more - RULINGS_KEPT
    _, news, _ = bridge._mailbox.take()
    events = [one.event for one in news]
    numbers = [event.ruling.number for event in events if isinstance(event, RulingGiven)]
    assert numbers == list(range(more - RULINGS_KEPT, more))
    bridge.close()
