"""A hall whose broker cannot start says why, in one sentence, and lets go of its folder."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest

from companion.hall.broker.mosquitto import NoMosquitto
from companion.hall.keeper import HallKeeper
from companion.hall.opening import Hall
from tests.home.broker import PROGRAM


def test_where_mosquitto_is_missing_the_hall_says_how_to_install_it(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(NoMosquitto, match="sudo apt install mosquitto"):
        Hall(tmp_path, 1)
    HallKeeper(tmp_path).close()


def test_a_port_that_another_broker_has_is_told(tmp_path: Path):
    """Its answer was taken for that of our own, which had ended, and no table was ever heard."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(NoMosquitto, match="choose another port with --broker-port"):
            Hall(tmp_path, other.getsockname()[1])
    HallKeeper(tmp_path).close()
