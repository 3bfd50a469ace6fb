"""The whole command with a home: started, watched, stopped and killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess

from companion.home.identity import FILE
from tests.home.broker import kept
from tests.kit.night import until
from tests.kit.served import PATIENCE, Served, command, free_port

AVAILABILITY = "table-companion/availability"


def config(port: int) -> str:
    return f'[home]\nhost = "127.0.0.1"\nport = {port}\n'


def test_a_table_that_is_killed_is_offline_and_one_that_comes_back_is_the_same(
    tmp_path, broker, ear
):
    served = Served(tmp_path / "served", config(broker.port))
    try:
        until(lambda: ear.latest(AVAILABILITY) == b"online")
        served.pair()
        assert served.do("sit", name="Ana").status == 200
        until(lambda: ear.state()["seats"].get("1", {}).get("name") == "Ana")
        assert served.get("/healthz").json["home"]["connected"] is True
        assert served.state()["service"]["home"]["connected"] is True
        os.killpg(served.process.pid, signal.SIGKILL)
        until(lambda: ear.latest(AVAILABILITY) == b"offline")
    finally:
        served.stop(signal.SIGKILL)
    before = (tmp_path / "served" / "data" / FILE).read_text().strip()
    ear.forget()
    again = Served(tmp_path / "served", config(broker.port))
    try:
        until(lambda: ear.latest(AVAILABILITY) == b"online")
        config_of = f"homeassistant/sensor/{before}/seat_1_points/config"
        assert json.loads(ear.latest(config_of) or b"{}")["unique_id"] == f"{before}_seat_1_points"
    finally:
        again.stop()
    assert kept(broker)[AVAILABILITY] == b"offline"
    assert again.process.returncode == 0


def test_a_table_whose_broker_says_nothing_opens_plays_and_closes(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as hole:
        served = Served(tmp_path / "served", config(hole.getsockname()[1]))
        try:
            hole.settimeout(PATIENCE)
            caller, _ = hole.accept()
            with caller:
                served.pair()
                for number in range(20):
                    assert served.do("sit", name=f"Ana {number}", seat=1).status == 200
                    assert served.do("stand", seat=1).status == 200
                health = served.get("/healthz")
                assert health.status == 200
                assert health.json["home"]["connected"] is False
                served.stop()
        finally:
            served.stop(signal.SIGKILL)
    assert served.process.returncode == 0


def test_a_mistake_in_the_section_is_a_sentence_at_the_start(tmp_path):
    (tmp_path / "c.toml").write_text('[home]\nhots = "broker"\n')
    said = subprocess.run(
        command(free_port(), tmp_path / "data", "--config", str(tmp_path / "c.toml")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert said.returncode == 2
    assert "There is no setting home.hots. Did you mean host?" in said.stderr
    assert "home.host is missing" in said.stderr
