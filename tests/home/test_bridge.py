"""The bridge against a real Mosquitto: there, away, killed, forgetful, strict or silent."""

from __future__ import annotations

import json
import logging
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.home.bridge import Bridge
from companion.home.connection.broker_thread import Pace
from companion.home.connection.line import BrokerLine, NoBroker
from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.table import names_at
from companion.referee.sentences import spoken
from companion.settings.broker import Home
from tests.home.broker import Broker, Ear, kept
from tests.home.relay import Relay
from tests.kit.night import ANA, BEN, CLEO, Night, until
from tests.kit.served import free_port

IDENTITY = "table_companion_0123456789ab"
QUICK = Pace(first_rest=0.05, steady=0.2)
PREFIX = "table-companion"
BRIEF: dict[str, Any] = {"discovery": False}
"""Without introducing itself a table says so little that it never has to wait for answers: of the
introduction, a relay that goes deaf could swallow so many that nothing more was sent at all."""


@contextmanager
def told(night: Night, port: int, **wishes: Any) -> Iterator[Bridge]:
    """A night whose home is told, as the command line puts it together."""
    home = Home(host="127.0.0.1", port=port, **wishes)
    bridge = Bridge(home, IDENTITY, night.table, pace=QUICK)
    leave = night.worker.subscribe(bridge.put)
    bridge.start()
    try:
        yield bridge
    finally:
        leave()
        bridge.close()


def slaps(night: Night) -> None:
    """Ben slaps, and Cleo so much later that nobody can doubt it."""
    at = night.tap(BEN)
    until(lambda: time.monotonic_ns() > at + 20 * MILLISECOND)
    night.tap(CLEO)
    until(lambda: [race.state for race in night.round.races] == ["ruled"])


def test_a_street_race_is_told_from_its_declaration_to_its_loser(quick_night, broker, ear):
    with told(quick_night, broker.port):
        quick_night.deal()
        until(lambda: ear.state().get("phase") == "play")
        quick_night.do(c.DeclareRace(ANA))
        until(lambda: ear.latest(f"{PREFIX}/race") == b"running")
        slaps(quick_night)
        until(lambda: ear.latest(f"{PREFIX}/race") == b"ruled")
        until(lambda: ear.events("race_lost"))
        (declared,) = ear.events("street_race")
        assert (declared["seat"], declared["name"], declared["racers"]) == (1, "Ana", [2, 3])
        assert [slap["name"] for slap in ear.events("slap")] == ["Ben", "Cleo"]
        (lost,) = ear.events("race_lost")
        assert lost["draws"] == [{"seat": 3, "name": "Cleo", "cards": lost["draws"][0]["cards"]}]
        until(lambda: ear.state()["owes"] == {"3": lost["draws"][0]["cards"]})
        ruling = json.loads(ear.latest(f"{PREFIX}/ruling") or b"{}")
        assert ruling["rule"] == "R12"
        assert ruling["sentence"].startswith("Cleo draws")


def test_what_the_broker_keeps_is_the_table_as_it_stands(night, broker):
    with told(night, broker.port) as bridge:
        night.deal()
        night.score_round(BEN, 30)
        night.do(c.Undo())
        until(lambda: bridge.status().connected)
        with Ear(broker) as ear:
            until(lambda: ear.state().get("phase") == "hands")
        found = kept(broker)
        state = json.loads(found[f"{PREFIX}/state"])
        assert (state["phase"], state["round"], state["scoring"]) == ("hands", 1, "classic")
        assert found[f"{PREFIX}/availability"] == b"online"
        assert found[f"{PREFIX}/race"] == b"idle"
        assert json.loads(found[f"{PREFIX}/ruling"])["sentence"] == "Ben has gone out."
        assert f"{PREFIX}/event" not in found
    assert kept(broker)[f"{PREFIX}/availability"] == b"offline"


def test_a_broker_that_is_not_there_yet_is_found(night, tmp_path, caplog):
    caplog.set_level(logging.WARNING, "companion.home")
    broker = Broker(tmp_path / "late")
    with broker, told(night, broker.port) as bridge:
        night.deal()
        until(lambda: bridge.status().reason is not None)
        night.score_round(BEN, 30)
        night.do(c.Deal())
        night.score_round(CLEO, 20)
        names = names_at(night.table)
        rulings = [spoken(one.sentence, names).text for one in night.table.game.match.rulings]
        assert len(rulings) > 3
        broker.start()
        with Ear(broker) as ear:
            until(lambda: ear.state().get("phase") == "between")
            until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
            heard = [one.json["sentence"] for one in ear.all(f"{PREFIX}/ruling")]
            # The ear may have come after some of them; what it heard is the end, in order.
            assert heard == rulings[-len(heard) :]
        until(lambda: "The broker is reached again." in caplog.messages)
    (away,) = [one for one in caplog.messages if "nobody listens" in one]
    assert away.startswith("The broker cannot be reached: ")


@pytest.mark.parametrize("remembers", [True, False], ids=["with a memory", "without a memory"])
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_broker_restarted_in_a_race_gets_the_table_as_it_is_now(
    quick_night, tmp_path, sign, remembers
):
    night = quick_night
    with (
        Broker(tmp_path / "broker", remembers=remembers).start() as broker,
        Ear(broker) as ear,
        told(night, broker.port) as bridge,
    ):
        night.deal()
        night.do(c.DeclareRace(ANA))
        until(lambda: ear.latest(f"{PREFIX}/race") == b"running")
        broker.end(sign)
        until(lambda: not bridge.status().connected)
        slaps(night)
        night.do(c.GoOut(BEN))
        ear.forget()
        broker.start()
        ear.listen()
        until(lambda: ear.state().get("phase") == "hands")
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        until(lambda: ear.latest(f"{PREFIX}/race") == b"ruled")
        said = [one.json["outcome"] for one in ear.all(f"{PREFIX}/ruling") if not one.retained]
        assert said in (["last", "out"], ["out"], []), "in order, none twice"
        assert json.loads(ear.latest(f"{PREFIX}/ruling") or b"{}")["outcome"] == "out"
        topics = kept(broker)
        assert json.loads(topics[f"{PREFIX}/ruling"])["sentence"] == "Ben has gone out."
        assert f"homeassistant/event/{IDENTITY}/events/config" in topics


def outcomes(night: Night) -> list[str]:
    match = night.table.game.match
    assert match is not None
    return [one.outcome for one in match.rulings]


def heard_outcomes(ear: Ear) -> list[str]:
    return [one.json["outcome"] for one in ear.all(f"{PREFIX}/ruling")]


def test_rulings_of_an_outage_are_told_in_order_and_its_moments_are_not(
    quick_night, broker, ear, monkeypatch
):
    monkeypatch.setattr("companion.home.connection.outgoing.FRESH", 0.0)
    night = quick_night
    night.deal()
    with Relay(broker.port) as relay, told(night, relay.port) as bridge:
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        relay.cut()
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"offline")
        night.do(c.Catch(BEN, by=ANA))
        until(lambda: outcomes(night) == ["caught"])
        night.do(c.DeclareRace(ANA))
        slaps(night)
        night.do(c.Drawn(night.round.debts[0].number))
        ear.forget()
        relay.mend()
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        assert heard_outcomes(ear) == ["caught", "last"]
        assert ear.events() == []
        assert bridge.status().dropped == 0


def test_a_ruling_that_the_broker_did_not_confirm_is_told_again(quick_night, broker, ear):
    night = quick_night
    night.deal()
    with Relay(broker.port) as relay, told(night, relay.port, **BRIEF) as bridge:
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        relay.deaf = True
        night.do(c.Catch(BEN, by=ANA))
        until(lambda: heard_outcomes(ear)[-1:] == ["caught"])
        relay.cut()
        until(lambda: not bridge.status().connected)
        night.do(c.GoOut(ANA))
        relay.mend()
        until(lambda: heard_outcomes(ear)[-2:] == ["caught", "out"])


def test_a_state_from_before_the_outage_never_comes_after_the_one_of_now(night, broker, ear):
    night.deal()
    with Relay(broker.port) as relay, told(night, relay.port, **BRIEF) as bridge:
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        relay.deaf = True
        night.do(c.GoOut(ANA))
        until(lambda: ear.state()["phase"] == "hands")
        relay.cut()
        until(lambda: not bridge.status().connected)
        night.do(c.Undo())
        ear.forget()
        relay.mend()
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        phases = [one.json["phase"] for one in ear.all(f"{PREFIX}/state")]
        assert phases == ["play"]
        assert json.loads(ear.latest(f"{PREFIX}/ruling") or b"")["sentence"] is None


def test_a_wrong_password_is_told_once_and_tried_again(night, tmp_path, caplog):
    caplog.set_level(logging.WARNING, "companion.home")
    secret = tmp_path / "password"
    secret.write_text("guessed\n")
    with (
        Broker(tmp_path / "strict", password="right").start() as broker,
        told(night, broker.port, user="table", password_file=secret) as bridge,
    ):
        until(lambda: "user or the password" in (bridge.status().reason or ""))
        night.deal()
        secret.write_text("right\n")
        with Ear(broker, password="right") as ear:
            until(lambda: ear.state().get("phase") == "play")
    troubles = [one for one in caplog.messages if "does not accept the user" in one]
    assert len(troubles) == 1
    assert not any("guessed" in one or "right" in one for one in caplog.messages)


def test_a_password_file_that_cannot_be_read_is_named(night, tmp_path):
    missing = tmp_path / "nowhere"
    with told(night, free_port(), user="table", password_file=missing) as bridge:
        until(lambda: bridge.status().reason is not None)
        assert str(missing) in (bridge.status().reason or "")


def test_somebody_who_accepts_and_never_answers_is_left_again(night, monkeypatch):
    monkeypatch.setattr("companion.home.connection.line.ANSWERING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as hole:
        with told(night, hole.getsockname()[1]) as bridge:
            until(lambda: "says nothing" in (bridge.status().reason or ""))
            night.deal()
        assert not bridge._thread.is_alive()


def test_home_assistant_hears_all_again_when_it_is_born(night, broker, ear):
    topic = f"homeassistant/event/{IDENTITY}/events/config"
    with told(night, broker.port):
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
        assert len(ear.all(topic)) == 1
        ear.say("homeassistant/status", "offline")
        ear.say("homeassistant/status", "online")
        until(lambda: len(ear.all(topic)) == 2)


def test_a_birth_that_the_broker_kept_is_no_news(night, broker, ear):
    ear.say("homeassistant/status", "online", retain=True)
    with told(night, broker.port):
        night.deal()
        until(lambda: ear.state().get("phase") == "play")
    assert len(ear.all(f"homeassistant/event/{IDENTITY}/events/config")) == 1


def test_the_points_of_a_seat_appear_with_its_player_and_go_with_them(
    night: Night, broker: Broker, ear: Ear
) -> None:
    def config(seat: int) -> bytes | None:
        return ear.latest(f"homeassistant/sensor/{IDENTITY}/seat_{seat}_points/config")

    with told(night, broker.port):
        night.seat_three()
        until(lambda: config(CLEO))
        night.do(c.Stand(CLEO))
        until(lambda: config(CLEO) == b"")
        assert json.loads(config(BEN) or b"{}")["unique_id"] == f"{IDENTITY}_seat_2_points"
    kept_topics = kept(broker)
    assert f"homeassistant/sensor/{IDENTITY}/seat_2_points/config" in kept_topics
    assert f"homeassistant/sensor/{IDENTITY}/seat_3_points/config" not in kept_topics


def test_without_names_no_name_leaves_the_table(quick_night, broker, ear):
    night = quick_night
    with told(night, broker.port, names=False):
        night.deal()
        night.do(c.DeclareRace(ANA))
        slaps(night)
        night.score_round()
        until(lambda: ear.state().get("phase") == "between")
    everything = b" ".join(one.payload for one in ear._heard)
    assert not any(name in everything for name in (b"Ana", b"Ben", b"Cleo"))
    assert b"Seat 3 draws" in everything


def test_without_discovery_home_assistant_is_left_alone(night, broker, ear):
    with told(night, broker.port, discovery=False):
        until(lambda: ear.latest(f"{PREFIX}/availability") == b"online")
    assert not [topic for topic in ear.topics() if topic.startswith("homeassistant")]


def test_a_secure_line_is_only_taken_from_a_broker_that_is_trusted(night, tmp_path):
    certificate = a_certificate(tmp_path)
    with (
        Broker(tmp_path / "secure", certificate=certificate).start() as broker,
        told(night, broker.port, tls=True) as distrustful,
    ):
        until(lambda: "is not trusted" in (distrustful.status().reason or ""))
        with told(night, broker.port, tls=True, ca_file=certificate, client_id="t2") as bridge:
            until(lambda: bridge.status().connected)


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        pytest.param({}, "perhaps it wants TLS there", id="TLS was forgotten"),
        pytest.param(
            {"tls": True, "ca_file": "own", "host": "localhost"}, "for 'localhost'", id="name"
        ),
        pytest.param({"tls": True, "ca_file": "nowhere"}, "cannot be read", id="no such file"),
        pytest.param({"tls": True, "ca_file": "text"}, "holds no certificate", id="another file"),
    ],
)
def test_what_is_wrong_with_a_secure_line_is_said_in_one_sentence(tmp_path, wishes, says):
    certificate = a_certificate(tmp_path)
    (tmp_path / "text").write_text("Not a certificate.\n")
    if "ca_file" in wishes:
        own = wishes["ca_file"] == "own"
        wishes = wishes | {"ca_file": certificate if own else tmp_path / wishes["ca_file"]}
    with Broker(tmp_path / "secure", certificate=certificate).start() as broker:
        line = BrokerLine(Home(**{"host": "127.0.0.1", "port": broker.port, **wishes}), "t")
        with pytest.raises(NoBroker, match=says) as trouble:
            line.open()
    assert not str(trouble.value).endswith(".")


def test_a_plain_broker_that_is_greeted_securely_is_told_apart_from_none(broker):
    with pytest.raises(NoBroker, match=r"TLS|secure"):
        BrokerLine(Home(host="127.0.0.1", port=broker.port, tls=True), "t").open()


def test_a_broker_that_wants_a_user_says_so_to_whoever_named_none(tmp_path):
    with (
        Broker(tmp_path / "strict", password="right").start() as broker,
        pytest.raises(NoBroker, match="it wants a user and a password"),
    ):
        BrokerLine(Home(host="127.0.0.1", port=broker.port), "t").open()


def a_certificate(folder: Path) -> Path:
    """A key and a certificate that it signed itself, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here")
    file = folder / "broker.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    subject = "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    files = ("-keyout", folder / "key", "-out", folder / "crt")
    subprocess.run([*command.split(), *subject.split(), *files], check=True, capture_output=True)
    file.write_text((folder / "key").read_text() + (folder / "crt").read_text())
    return file
