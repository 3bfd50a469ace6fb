"""A Mosquitto of our own, which can be stopped, killed and started again, and an ear at it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from tests.kit.night import until
from tests.kit.served import PATIENCE, free_port

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Heard(NamedTuple):
    topic: str
    payload: bytes
    retained: bool

    @property
    def json(self) -> Any:
        return json.loads(self.payload)


class Broker:
    """One Mosquitto on a port of its own; the one that Debian starts by itself is left alone."""

    def __init__(
        self,
        folder: Path,
        *,
        remembers: bool = False,
        password: str | None = None,
        certificate: Path | None = None,
    ) -> None:
        if PROGRAM is None or shutil.which("mosquitto_sub") is None:
            pytest.skip("there is no mosquitto here")
        folder.mkdir(parents=True)
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        lines = [f"listener {self.port} 127.0.0.1", f"persistence {str(remembers).lower()}"]
        if os.getuid() == 0:
            lines.append("user root")
        if remembers:
            lines += [f"persistence_location {folder}/", "autosave_on_changes true"]
            lines += ["autosave_interval 1"]
        if password is None:
            lines.append("allow_anonymous true")
        else:
            users = folder / "users"
            subprocess.run(
                ["mosquitto_passwd", "-b", "-c", users, "table", password],
                check=True,
                capture_output=True,
            )
            lines += ["allow_anonymous false", f"password_file {users}"]
        if certificate is not None:
            lines += [f"certfile {certificate}", f"keyfile {certificate}"]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")

    def start(self) -> Broker:
        assert PROGRAM is not None
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "-c", self.folder / "mosquitto.conf"], stdout=log, stderr=log
            )
        until(self._listens)
        return self

    def end(self, sign: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(sign)
            self.process.wait(PATIENCE)
            self.process = None

    def restart(self, sign: signal.Signals = signal.SIGTERM) -> None:
        self.end(sign)
        self.start()

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)

    def _listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with socket.socket() as probe, suppress(OSError):
            probe.connect(("127.0.0.1", self.port))
            return True
        return False


class Ear:
    """Hears everything that goes over a broker, through its restarts."""

    def __init__(self, broker: Broker, topic: str = "#", password: str | None = None) -> None:
        self._heard: list[Heard] = []
        self._subscribed = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self._client.reconnect_delay_set(1, 1)
        if password is not None:
            self._client.username_pw_set("table", password)
        self._client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_disconnect = lambda *_: self._subscribed.clear()
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        self.listen()

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        self._heard.append(Heard(message.topic, message.payload, message.retain))

    def listen(self) -> None:
        """Wait until it hears, after a restart of the broker too."""
        assert self._subscribed.wait(PATIENCE)

    def say(self, topic: str, payload: str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE)

    def all(self, topic: str) -> list[Heard]:
        return [one for one in list(self._heard) if one.topic == topic]

    def latest(self, topic: str) -> bytes | None:
        found = self.all(topic)
        return found[-1].payload if found else None

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        told = [one.json for one in self.all("table-companion/event")]
        return [one for one in told if kind is None or one["event_type"] == kind]

    def state(self) -> Any:
        found = self.latest("table-companion/state")
        return {} if found is None else json.loads(found)

    def forget(self) -> None:
        self._heard.clear()

    def topics(self) -> set[str]:
        return {one.topic for one in list(self._heard)}

    def __enter__(self) -> Ear:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def kept(broker: Broker) -> dict[str, bytes]:
    """What the broker keeps, read by the client of its own makers."""
    command = f"mosquitto_sub -h 127.0.0.1 -p {broker.port} -t # --retained-only -W 1 -F"
    told = subprocess.run(
        [*command.split(), "%t %p"],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    lines = (line.partition(b" ") for line in told.stdout.splitlines())
    return {topic.decode(): payload for topic, _, payload in lines}
