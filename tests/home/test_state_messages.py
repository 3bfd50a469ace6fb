"""What is told is true: whole matches of ghosts, followed by a broker that is only a dictionary."""

from __future__ import annotations

import json
import re
from string import Formatter
from typing import Any

import jinja2
import msgspec
import pytest
from msgspec.structs import replace

from companion.home.connection.mailbox import Mailbox
from companion.home.connection.outgoing import FRESH, Outgoing
from companion.home.discovery import Introduction
from companion.home.happenings import KINDS, Happenings
from companion.home.messages import Message, Topics
from companion.home.people import People
from companion.home.state_messages import RACE_STATES
from companion.referee.commands import Command, Way
from companion.referee.english import RULINGS
from companion.referee.events import CallsRead, Event, RaceRead, RaceUnread, RulingGiven
from companion.referee.model.edition import FAST_AND_FURIOUS as CARDS
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Press
from companion.referee.model.rulings import Draws, Outcome, Ruling
from companion.referee.model.table import (
    Calls,
    Game,
    Match,
    Race,
    Round,
    Seat,
    SlapOffLight,
    Table,
    Window,
)
from companion.referee.sentences import say, spoken, unpacked
from companion.view import view
from tests.kit.night import Night
from tests.simulation.ghost.door import BareTable
from tests.simulation.ghost.plays.match import play_match
from tests.simulation.ghost.sheet import EXPRESS, FAST_AND_FURIOUS

TOPICS = Topics("table-companion")
IDENTITY = "table_companion_0123456789ab"
WHO = Introduction(IDENTITY, "Card table", "homeassistant", TOPICS)
SEEDS = {FAST_AND_FURIOUS.key: (3, 4, 6, 8), EXPRESS.key: (0, 6)}
ALWAYS = {"name", "unique_id", "device", "origin", "availability_topic"}
ALLOWED = {
    "sensor": {"state_topic", "value_template", "device_class", "options", "icon", "state_class"}
    | {"unit_of_measurement", "json_attributes_topic", "json_attributes_template"},
    "binary_sensor": {"state_topic", "value_template", "device_class"},
    "event": {"state_topic", "event_types", "icon"},
    "device_automation": {"automation_type", "topic", "type", "subtype", "payload"}
    | {"value_template", "device", "origin", "qos"},
}
NAMING = {"name", "names", "accused", "victim", "others"}
"""The parts of a ruling's sentence that name people."""
COMMON = ALWAYS | {"qos", "payload_available", "payload_not_available"}
"""The fields that the documentation of Home Assistant's MQTT integration names for each of them."""


class Followed(BareTable):
    """A bare table with a home, which hears of every step."""

    def __init__(self, luck: int) -> None:
        super().__init__(luck)
        self.mailbox, self.discreet = Mailbox(), Mailbox()
        self.outgoing = Outgoing(self.mailbox, self.table, TOPICS, WHO)
        self.unnamed = Outgoing(self.discreet, self.table, TOPICS, WHO, named=False)
        self.outgoing.connected()
        self.nameless: list[bytes] = []
        self.read: dict[str, bytes] = {}
        self.kept: dict[str, bytes] = {}
        self.heard: list[Message] = []
        self.names: set[str] = set()
        self.phases: set[str] = set()
        self.states: set[str] = set()

    def send(self, command: Command) -> tuple[Event, ...]:
        events = super().send(command)
        self.mailbox.put(self.table, events)
        self.discreet.put(self.table, events)
        while (message := self.unnamed.next(0.0)) is not None:
            self.nameless.append(message.payload)
        self.names |= {seat.name for seat in self.table.game.seats}
        while (message := self.outgoing.next(0.0)) is not None:
            self.heard.append(message)
            if message.retain:
                self.kept[message.topic] = message.payload
        self.look()
        return events

    def look(self) -> None:
        """Whoever reads only the broker knows what a screen shows."""
        shown, state = view(self.table), json.loads(self.kept[TOPICS.state])
        self.phases.add(state["phase"])
        self.states.add(self.kept[TOPICS.race].decode())
        assert state["phase"] == shown.phase
        assert state["seats"].keys() == {str(seat.number) for seat in shown.seats}
        assert state["owes"] == {str(s.number): s.owes for s in shown.seats if s.owes}
        assert [s["turn"] for s in state["seats"].values()] == [s.turn for s in shown.seats]
        assert self.kept[TOPICS.race].decode() == (shown.race.state if shown.race else "idle")
        ruling = json.loads(self.kept[TOPICS.ruling])
        assert ruling["number"] == (shown.rulings[0].number if shown.rulings else None)
        if shown.match is not None:
            classic = shown.match.scoring == "classic"
            points = {
                p.player: p.classic if classic else p.alternative for p in shown.match.players
            }
            assert {p["player"]: p["points"] for p in state["players"]} == points
        for topic, payload in self.kept.items():
            if topic.startswith("homeassistant/sensor/") and payload:
                self.render(topic, json.loads(payload))

    def render(self, topic: str, config: dict[str, Any]) -> None:
        """Read a message that has changed by its template, as Home Assistant does."""
        payload = self.kept[config["state_topic"]]
        if self.read.get(topic) == payload:
            return
        self.read[topic] = payload
        message = json.loads(self.kept[config["state_topic"]])
        shown = template(config["value_template"]).render(value_json=message)
        assert len(shown) <= 255
        if "options" in config:
            assert shown in config["options"]
        if config.get("state_class") == "measurement":
            assert shown == "None" or int(shown) is not None
        if "json_attributes_template" in config:
            about = template(config["json_attributes_template"]).render(value_json=message)
            assert json.loads(about)["points"] == (None if shown == "None" else int(shown))


ENVIRONMENT = jinja2.Environment(undefined=jinja2.StrictUndefined)


def template(text: str, known: dict[str, jinja2.Template] = {}) -> jinja2.Template:  # noqa: B006
    if text not in known:
        known[text] = ENVIRONMENT.from_string(text)
    return known[text]


@pytest.fixture(scope="module")
def nights() -> list[Followed]:
    """A few matches of each edition, free and refereed, with everything that ghosts do."""
    tables = []
    for edition, seeds in SEEDS.items():
        for seed in seeds:
            followed = Followed(seed)
            play_match(seed, edition, door=followed, compares=False)
            tables.append(followed)
    return tables


def test_through_whole_matches_the_broker_knows_what_a_screen_shows(nights):
    seen = set().union(*(night.phases for night in nights))
    assert seen == {"seating", "deal", "between", "first_card", "play", "hands", "won"}
    assert set().union(*(night.states for night in nights)) == set(RACE_STATES)


def test_every_kind_of_moment_happens_and_none_that_was_not_announced(nights):
    told = [json.loads(m.payload) for n in nights for m in n.heard if m.topic == TOPICS.event]
    kinds = {one["event_type"] for one in told}
    assert kinds == set(KINDS)
    for one in told:
        assert one["match"] is not None
        if one["event_type"] == "race_lost":
            assert one["draws"]
        if one["event_type"] == "slap":
            assert one["name"]


def test_every_ruling_is_told_once_and_in_order(nights):
    for night in nights:
        given = [e.ruling for e in rulings_in(night.journal)]
        told = [
            json.loads(one.payload)["number"]
            for one in night.heard
            if one.topic == TOPICS.ruling and one.keep
        ]
        assert told == [one.number for one in given]


def rulings_in(journal: list[bytes]) -> list[Any]:
    events = (msgspec.json.decode(line, type=Event, dec_hook=unpacked) for line in journal)
    return [event for event in events if hasattr(event, "ruling") and hasattr(event.ruling, "rule")]


def test_moments_and_nothing_else_are_forgotten_by_the_broker(nights):
    for message in nights[0].heard:
        assert message.retain == (message.topic != TOPICS.event)


def test_without_names_nothing_that_is_told_holds_one(nights):
    for night in nights:
        everything = b"\n".join(night.nameless).decode()
        assert night.names
        assert "Seat 1" in everything
        for name in night.names - {f"Player {number}" for number in range(100)}:
            assert not re.search(rf"\b{re.escape(json.dumps(name)[1:-1])}\b", everything), name


def test_without_names_seats_are_told_and_who_has_left_is_a_number():
    seats = (Seat(1, 1, "An"), Seat(2, 2, "An, Ben"), Seat(3, 3, "Ben"))
    people = People(Table(game=Game(seats=seats)), named=False)
    tie = say("dead_heat", names=(2, 3))
    assert people.sentence(tie) == "Dead heat between Seat 2, Seat 3: too close to call."
    gone = say("caught", name=(9,), cards=2)
    assert people.sentence(gone) == "Player 9 did not call UNO and draws 2."


@pytest.mark.parametrize("code", RULINGS)
def test_without_names_a_sentence_still_says_all_the_rest(code):
    words = {part for _, part, _, _ in Formatter().parse(RULINGS[code]) if part}
    parts = {word: (1,) if word in NAMING else "7" for word in words}
    people = People(Table(game=Game(seats=(Seat(1, 1, "Ana"),))), named=False)
    sentence = say(code, **parts)
    named = spoken(sentence, {1: "Ana"}).text
    assert people.sentence(sentence) == named.replace("Ana", "Seat 1")


def a_round(way: Way = "free", **changes: Any) -> Table:
    """Ana, Ben, Cleo and Dan in the middle of a round."""
    names = ("Ana", "Ben", "Cleo", "Dan")
    seats = tuple(Seat(number, number, name) for number, name in enumerate(names, 1))
    round_ = replace(Round(1, (1, 2, 3, 4), dealer=1, way=way, began=1), **changes)
    match = Match(1, CARDS, "classic", way, HouseRules(), (), round=round_)
    return Table(game=Game(seats=seats, match=match))


def happening(table: Table, *events: Event) -> list[str]:
    """What each event tells, by its kind and the seat; a bar lies between two events."""
    happenings, people, told = Happenings(table), People(table, named=True), []
    for event in events:
        told += [_short(one) for one in happenings.of(event, table, people)]
        told.append("|")
    return told[:-1]


def _short(moment: dict[str, Any]) -> str:
    return f"{moment['event_type']} {moment.get('seat') or ''}".strip()


SLAPS = tuple(Press(seat, 100 + seat, 0) for seat in (2, 3, 4))
RACE = Race(102, "hands", (2, 3, 4), "running", 900, layer=1, slaps=SLAPS[:2])


def test_a_race_that_hands_declare_is_told_with_every_hand_once():
    assert happening(
        a_round(),
        RaceRead(RACE),
        RaceRead(replace(RACE, slaps=SLAPS), was=RACE.key),
        RaceRead(replace(RACE, slaps=SLAPS, state="ruled", outcome="last"), was=RACE.key),
    ) == ["street_race 1", "slap 2", "slap 3", "|", "slap 4", "|"]


def test_a_race_that_the_table_only_believes_to_see_is_told_once_somebody_confirms_it():
    proposed = replace(RACE, state="proposed")
    named = replace(RACE, record=3, named_at=200)
    told = happening(a_round(), RaceRead(proposed), RaceRead(named, was=proposed.key))
    assert told == ["|", "street_race 1", "slap 2", "slap 3"]
    assert happening(a_round(), RaceRead(proposed), RaceUnread(proposed.key)) == ["|"]


def test_a_race_that_is_run_again_is_told_again():
    ruled = replace(RACE, record=3, named_at=90, slaps=SLAPS, state="ruled", outcome="last")
    again = replace(ruled, anchor=500, slaps=(), state="running", outcome=None)
    known = a_round(races=(ruled,))
    assert happening(known, RaceRead(again, was=ruled.key)) == ["street_race 1"]
    other = replace(ruled, layer=2, slaps=SLAPS[1:])
    assert happening(known, RaceRead(other, was=ruled.key)) == [], "only who laid it was wrong"


def test_a_slap_off_is_told_from_the_dead_heat_to_the_hands_after_its_light():
    tie = replace(RACE, record=3, slaps=SLAPS, state="undecided", outcome="dead_heat", tied=(3, 4))
    light = SlapOffLight((3, 4), 1000, 2000, 9000)
    dark = replace(tie, state="slap_off", outcome=None, slaps=(), slap_off=light)
    lit = replace(dark, slap_off=replace(light, lit=True))
    landed = replace(lit, slaps=(Press(4, 2100, 0),))
    again = replace(dark, slap_off=replace(light, started_at=5000, light_at=6000))
    known = a_round(races=(replace(RACE, record=3, slaps=SLAPS),))
    reads = [RaceRead(race, was=tie.key) for race in (tie, dark, lit, landed, landed, again)]
    assert happening(known, *reads) == [
        *("dead_heat", "|", "slap_off", "|", "slap_off_light", "|"),
        *("slap 4", "|", "|", "slap_off"),
    ]


def test_what_was_going_on_when_the_table_opened_is_no_news():
    ruled = replace(RACE, state="ruled", outcome="last")
    known = a_round(races=(RACE,), calls=Calls(called={2: 40}))
    assert happening(known, RaceRead(ruled, was=RACE.key)) == []
    assert happening(known, CallsRead(Calls(called={2: 40}))) == []
    assert happening(a_round(), RaceRead(ruled, was=RACE.key)) == [], "too much of it was missed"


def test_in_free_play_a_call_is_told_once_however_often_it_is_read():
    first, again = Calls(called={2: 40}), Calls(called={2: 40, 3: 70})
    reads = (CallsRead(first), CallsRead(again), CallsRead(Calls()), CallsRead(again))
    assert happening(a_round(), *reads) == ["uno_call 2", "|", "uno_call 3", "|", "|"]


def test_in_refereed_play_hands_are_no_calls_until_somebody_is_on_one_card():
    slapped = Calls(called={2: 40, 3: 41})
    on_one = Calls(Window(5, 2, Press(2, 40, 0)), called={2: 40})
    closed = Calls(closed=(Window(5, 2, Press(2, 40, 0)),))
    reads = [CallsRead(calls) for calls in (slapped, on_one, closed)]
    assert happening(a_round("refereed"), *reads) == ["|", "uno_call 2", "|"]


@pytest.mark.parametrize(
    ("outcome", "draws", "kinds"),
    [
        pytest.param("last", 4, ["race_lost", "ruling"], id="somebody was last"),
        pytest.param("picked", 4, ["race_lost", "ruling"], id="the referee picked"),
        pytest.param("nobody_slapped", 4, ["race_lost", "ruling"], id="all of them draw"),
        pytest.param("dead_heat", 0, ["ruling"], id="too close to tell"),
        pytest.param("caught", 2, ["caught", "ruling"], id="caught"),
        pytest.param("called", 0, ["ruling"], id="called in time"),
        pytest.param("hit", 4, ["ruling"], id="a Draw Four"),
        pytest.param("out", 2, ["round_over", "ruling"], id="out with a Draw Two"),
        pytest.param("won", 0, ["match_won", "ruling"], id="won"),
        pytest.param("void", 0, ["ruling"], id="it was no race"),
    ],
)
def test_what_a_ruling_comes_to_decides_what_it_is_told_as(
    outcome: Outcome, draws: int, kinds: list[str]
) -> None:
    cards = (Draws(3, draws),) if draws else ()
    ruling = Ruling(1, "R12", outcome, say("race_void"), 0, (3,), cards)
    assert happening(a_round(), RulingGiven(ruling)) == kinds


def test_a_moment_is_told_soon_or_never_and_a_ruling_always():
    night = Table()
    mailbox = Mailbox()
    outgoing = Outgoing(mailbox, night, TOPICS, None)
    ruling = Ruling(1, "R13", "caught", say("caught", name="Ben", cards=2), 0, (2,))
    mailbox.put(night, (RulingGiven(ruling),))
    _, (news,), _ = mailbox.take()
    mailbox.put(night, (RulingGiven(ruling),))
    late = news.at + 2 * FRESH
    topics = []
    while (message := outgoing.next(late)) is not None:
        topics.append(message.topic)
    assert TOPICS.ruling in topics
    assert TOPICS.event not in topics


def test_what_waits_is_let_go_when_the_past_is_written_anew(night: Night):
    night.deal()
    mailbox = Mailbox()
    outgoing = Outgoing(mailbox, night.table, TOPICS, None)
    ruling = Ruling(1, "R13", "caught", say("caught", name="Ben", cards=2), 0, (2,))
    mailbox.put(night.table, (RulingGiven(ruling),))
    mailbox.put(replace(night.table), ())
    heard = []
    while (message := outgoing.next(0.0)) is not None:
        heard.append(message.payload)
    assert not any(b"did not call UNO" in payload for payload in heard)


def test_every_entity_is_announced_with_the_fields_that_home_assistant_documents():
    messages = list(WHO.messages([1, 4]))
    configs = {one.topic: json.loads(one.payload) for one in messages if one.payload}
    ids = [config["unique_id"] for config in configs.values() if "unique_id" in config]
    assert len(ids) == len(set(ids))
    for topic, config in configs.items():
        prefix, platform, node, key, last = topic.split("/")
        assert (prefix, node, last) == ("homeassistant", IDENTITY, "config")
        assert config["device"]["identifiers"] == [IDENTITY]
        if platform == "device_automation":
            assert config.keys() <= ALLOWED[platform]
            assert config["automation_type"] == "trigger"
            assert config["payload"] in KINDS
            continue
        assert config.keys() - COMMON <= ALLOWED[platform], topic
        assert config.keys() >= ALWAYS
        assert config["unique_id"] == f"{IDENTITY}_{key}"
        assert config["availability_topic"] == TOPICS.availability
    pairs = [(c["type"], c["subtype"]) for c in configs.values() if "subtype" in c]
    assert len(pairs) == len(set(pairs)), "each trigger must be told apart"
    assert configs[f"homeassistant/event/{IDENTITY}/events/config"]["event_types"] == list(KINDS)
    empty = {one.topic for one in messages if not one.payload}
    assert f"homeassistant/sensor/{IDENTITY}/seat_2_points/config" in empty
    assert all(one.retain for one in messages)


def test_the_race_sensor_is_on_for_as_long_as_the_race_is_not_decided():
    (config,) = [
        json.loads(one.payload)
        for one in WHO.messages([])
        if one.topic == f"homeassistant/binary_sensor/{IDENTITY}/race/config"
    ]
    shown = {state: template(config["value_template"]).render(value=state) for state in RACE_STATES}
    on = {state for state, said in shown.items() if said == "ON"}
    assert on == {"running", "undecided", "slap_off"}
    assert set(shown.values()) == {"ON", "OFF"}


def test_taking_all_back_names_every_topic_that_was_announced():
    announced = {one.topic for one in WHO.messages(range(1, 11))}
    assert {one.topic for one in WHO.withdrawals()} == announced
    assert not any(one.payload for one in WHO.withdrawals())
