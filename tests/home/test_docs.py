"""What the page about the home shows is what a table tells: topics, samples, entities, settings."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest

from companion.home.connection.mailbox import Mailbox
from companion.home.connection.outgoing import Outgoing
from companion.home.discovery import Introduction
from companion.home.happenings import KINDS
from companion.home.messages import DELIVERED, Message, Topics
from companion.referee import commands as c
from companion.settings.broker import Home
from companion.settings.configuration import examine
from tests.home.test_bridge import slaps
from tests.kit.night import ANA, Night, until

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "home.md").read_text()
HOME = Home(host="broker")
TOPICS = Topics(HOME.topic)
TOPIC = re.compile(rf"`({HOME.topic}/\w+)`")
PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)


def part(title: str) -> str:
    (found,) = [one for one in PARTS if one.startswith(title)]
    return found


def rows(text: str, heading: str) -> list[list[str]]:
    """The rows of the one table whose heading begins so."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {heading} |"):
            break
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.fixture
def told(quick_night: Night) -> list[Message]:
    """Everything that is told of a race which Ana laid and Cleo lost."""
    night, mailbox = quick_night, Mailbox()
    who = Introduction("table_companion_0123456789ab", HOME.name, HOME.discovery_prefix, TOPICS)
    outgoing = Outgoing(mailbox, night.table, TOPICS, who)
    leave = night.worker.subscribe(mailbox.put)
    night.deal()
    night.do(c.DeclareRace(ANA))
    slaps(night)
    until(lambda: night.table.game.match is not None and night.table.game.match.rulings)
    leave()
    outgoing.connected()
    return list(iter(lambda: outgoing.next(0.0), None))


def samples() -> Iterator[tuple[str, Any]]:
    """Each sample on the page, with the topic that was named last before it."""
    for found in re.finditer(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        yield TOPIC.findall(PAGE[: found.start()])[-1], json.loads(found[1])


def shows(sample: Any, real: Any) -> bool:
    """Whether a sample is a true one; of seats and of a list it may show only some."""
    match sample, real:
        case dict(), dict():
            whole = all(key.isdigit() for key in sample) or sample.keys() == real.keys()
            return whole and all(key in real and shows(sample[key], real[key]) for key in sample)
        case list(), list():
            return bool(sample) == bool(real) and all(
                any(shows(one, other) for other in real) for one in sample
            )
        case str(), str():
            margin = r"by [\d.]+ ms"
            return re.sub(margin, "by 12 ms", sample) == re.sub(margin, "by 12 ms", real)
        case _:
            return bool(sample == real)


def test_every_topic_is_on_the_page_and_no_other(told: list[Message]) -> None:
    listed = {quoted(row[0])[0]: row[1] for row in rows(PAGE, "topic")}
    ours = {one.topic: one.retain for one in told if one.topic.startswith(f"{HOME.topic}/")}
    assert listed == {topic: "yes" if retained else "no" for topic, retained in ours.items()}
    assert set(TOPIC.findall(PAGE)) == set(ours)
    others = {one.topic.split("/")[0] for one in told} - {HOME.topic}
    assert others == {HOME.discovery_prefix}
    assert f"`{HOME.discovery_prefix}/status`" in PAGE
    assert f"quality of service {DELIVERED}" in PAGE


def test_every_sample_is_something_that_a_table_tells(told: list[Message]) -> None:
    shown = list(samples())
    assert [topic for topic, _ in shown] == [TOPICS.state, TOPICS.ruling, TOPICS.event]
    for topic, sample in shown:
        real = [json.loads(one.payload) for one in told if one.topic == topic]
        assert any(shows(sample, one) for one in real), (topic, real)


def test_a_sample_that_were_wrong_would_be_noticed() -> None:
    assert shows({"a": {"1": 5}}, {"a": {"1": 5, "2": 6}})
    assert not shows({"a": 5}, {"a": 5, "b": 6})
    assert not shows({"a": [{"b": 1}]}, {"a": [{"b": 2}]})


def test_the_automations_listen_to_what_is_told() -> None:
    (automations,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert set(re.findall(r"topic: (.*)", automations)) == {TOPICS.event}
    kinds = re.findall(r"payload: (.*)", automations)
    assert kinds == ["street_race", "race_lost"]
    assert set(kinds) <= set(KINDS)
    for template in re.findall(r'value_template: "(.*)"', automations):
        for kind in kinds:
            known = jinja2.Template(template).render(value_json={"event_type": kind})
            assert known == kind
    (_, ruling, _) = [sample for _, sample in samples()]
    (message,) = re.findall(r'message: "(.*)"', automations)
    said = jinja2.Template(message).render(trigger={"payload_json": ruling})
    assert said == ruling["sentence"]


def test_the_lines_for_the_configuration_can_be_used() -> None:
    (lines,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings, mistakes = examine(tomllib.loads(lines))
    assert mistakes == []
    assert settings.home is not None
    assert (settings.home.user, settings.home.port) == ("table", HOME.port)
    assert str(settings.home.password_file) in part("Switching it on").split("```sh")[-1]
    assert len(lines.strip().splitlines()) == 4
    assert "Four lines" in PAGE


def test_what_an_installed_table_needs_for_it_is_installed() -> None:
    lock = (PROJECT / "requirements" / "table.txt").read_text()
    assert re.search(r"^paho-mqtt==", lock, re.MULTILINE)
    unit = (PROJECT / "systemd" / "table-companion.service").read_text()
    allowed = re.findall(r"^(?:IPAddressAllow|RestrictAddressFamilies)=(.*)", unit, re.MULTILINE)
    assert {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"} <= set(allowed[0].split())
    assert {"AF_UNIX", "AF_INET", "AF_INET6"} == set(allowed[1].split())
    installer = (PROJECT / "systemd" / "install").read_text()
    assert "install -D -m 0644" in installer, "hence the file of its own for the password"
