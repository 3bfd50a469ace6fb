"""Discovery: how the table introduces itself to Home Assistant, so that no YAML has to be written.

Each entity is announced in a retained message of its own; an empty one takes it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from msgspec import Struct

from companion import __version__
from companion.home.happenings import KINDS
from companion.home.messages import OFFLINE, ONLINE, Message, Topics, packed
from companion.home.state_messages import OPEN
from companion.view.shape import Phase

MOST_SEATS = 10
LONGEST_STATE = 255
"""Home Assistant keeps no longer state than this."""
TRIGGERS = {"street_race": "declared", "race_lost": "drawing", "slap_off_light": "lit"}
"""What can be picked as a trigger of the device, beside everything that its event entity tells."""


class Introduction(Struct, frozen=True):
    """The table as a device: its names, and where it sends."""

    identity: str
    name: str
    prefix: str
    topics: Topics
    address: str | None = None
    """Where the table's page is."""

    @property
    def birth(self) -> str:
        """Where Home Assistant says that it has started, and wants to hear all again."""
        return f"{self.prefix}/status"

    def messages(self, seats: Iterable[int]) -> Iterator[Message]:
        """Announce all entities, and take back those of empty seats."""
        taken = set(seats)
        for platform, key, config in self._entities():
            yield self._announced(platform, key, config)
        for seat in sorted(taken | set(range(1, MOST_SEATS + 1))):
            yield self.seat(seat, taken=seat in taken)

    def seat(self, seat: int, *, taken: bool) -> Message:
        """Announce the points of a seat, or take that back."""
        key = f"seat_{seat}_points"
        if not taken:
            return Message(self._topic("sensor", key), b"", retain=True)
        of_seat = f"value_json.seats.get('{seat}', {{}})"
        return self._announced(
            "sensor",
            key,
            {
                "name": f"Seat {seat} points",
                "icon": "mdi:seat",
                "state_topic": self.topics.state,
                "value_template": f"{{{{ {of_seat}.get('points') }}}}",
                "json_attributes_topic": self.topics.state,
                "json_attributes_template": f"{{{{ {of_seat} | tojson }}}}",
                "state_class": "measurement",
                "unit_of_measurement": "points",
            },
        )

    def withdrawals(self) -> Iterator[Message]:
        """Take everything back."""
        for platform, key, _ in self._entities():
            yield Message(self._topic(platform, key), b"", retain=True)
        for seat in range(1, MOST_SEATS + 1):
            yield self.seat(seat, taken=False)

    def _entities(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        state = self.topics.state
        yield (
            "sensor",
            "phase",
            {
                "name": "Phase",
                "icon": "mdi:cards-playing",
                "device_class": "enum",
                "options": list(get_args(Phase)),
                "state_topic": state,
                "value_template": "{{ value_json.phase }}",
            },
        )
        for key, title, icon in (
            ("leader", "Leader", "mdi:trophy"),
            ("turn", "Turn", "mdi:account-arrow-right"),
        ):
            yield (
                "sensor",
                key,
                {
                    "name": title,
                    "icon": icon,
                    "state_topic": state,
                    "value_template": _text(key),
                },
            )
        yield (
            "sensor",
            "last_ruling",
            {
                "name": "Last ruling",
                "icon": "mdi:gavel",
                "state_topic": self.topics.ruling,
                "value_template": _text("sentence"),
                "json_attributes_topic": self.topics.ruling,
            },
        )
        running = " or ".join(f"value == '{one}'" for one in OPEN)
        yield (
            "binary_sensor",
            "race",
            {
                "name": "Street Race",
                "device_class": "running",
                "state_topic": self.topics.race,
                "value_template": f"{{{{ 'ON' if {running} else 'OFF' }}}}",
            },
        )
        yield (
            "event",
            "events",
            {
                "name": "Events",
                "icon": "mdi:flag-checkered",
                "event_types": list(KINDS),
                "state_topic": self.topics.event,
            },
        )
        for kind, subtype in TRIGGERS.items():
            yield (
                "device_automation",
                kind,
                {
                    "automation_type": "trigger",
                    "topic": self.topics.event,
                    "type": kind,
                    "subtype": subtype,
                    "payload": kind,
                    "value_template": "{{ value_json.event_type }}",
                },
            )

    def _announced(self, platform: str, key: str, config: dict[str, Any]) -> Message:
        whole = {
            **config,
            "qos": 1,
            "device": self._device(),
            "origin": {"name": "Table Companion", "sw_version": __version__},
        }
        if platform != "device_automation":
            whole |= {
                "unique_id": f"{self.identity}_{key}",
                "availability_topic": self.topics.availability,
                "payload_available": ONLINE.decode(),
                "payload_not_available": OFFLINE.decode(),
            }
        return Message(self._topic(platform, key), packed(whole), retain=True)

    def _topic(self, platform: str, key: str) -> str:
        return f"{self.prefix}/{platform}/{self.identity}/{key}/config"

    def _device(self) -> dict[str, Any]:
        device: dict[str, Any] = {
            "identifiers": [self.identity],
            "name": self.name,
            "manufacturer": "Table Companion",
            "model": "Referee under the card table",
            "sw_version": __version__,
        }
        return device if self.address is None else {**device, "configuration_url": self.address}


def _text(key: str) -> str:
    """Show a text that may be missing, which Home Assistant then calls unknown."""
    return f"{{{{ (value_json.{key} or 'None')[:{LONGEST_STATE}] }}}}"
