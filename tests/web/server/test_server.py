"""The process around the table: how it starts, how it stops, and how it comes back."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import termios
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.kit.served import (
    PATIENCE,
    Served,
    Started,
    alive,
    command,
    envelope,
    eventually,
    free_port,
)
from tests.web.live_line import LiveLine, Polling
from tests.web.transport.storm import HELD
from web.server.server import CannotServe, TableServer

ROOT = Path(__file__).resolve().parents[3]
SOON = 3.0
"""Seconds; who waits for a client to let go waits for five, every time."""
TRIES = 3
"""A busy machine may be slow once or twice."""


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param(signal.SIGTERM, id="by the system"),
        pytest.param(signal.SIGINT, id="by Ctrl-C"),
        pytest.param(signal.SIGHUP, id="by a closed terminal"),
    ],
)
def test_the_table_stops_quickly_with_screens_open(tmp_path, sign):
    assert any(stopped_with_screens(Started(tmp_path / f"{n}"), sign) < SOON for n in range(TRIES))


def stopped_with_screens(served: Served, sign: signal.Signals) -> float:
    served.pair()
    screens = [served.screen() for _ in range(5)]
    idle = socket.create_connection(("127.0.0.1", served.port))
    assert served.do("sit", name="Ana").status == 200
    took = served.stop(sign)
    assert served.process.returncode == 0, "".join(served.lines)
    assert not any("Traceback" in line for line in served.lines)
    for screen in screens:
        screen.close()
    idle.close()
    return took


def test_the_table_stops_quickly_however_its_clients_behave(tmp_path):
    assert any(stopped_with_all(Started(tmp_path / f"{n}")) < SOON + 2 for n in range(TRIES))


def stopped_with_all(served: Served) -> float:
    served.pair()
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 2048),)
    never_reads = LiveLine(served, None, sockopt=small)
    served.do("sit", name="Ana")
    for number in range(60):
        served.do("rename", seat=1, name=f"Ana {number}")
    polling = Polling(served, None)
    held = []
    for said in HELD * 4:
        held.append(socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE))
        held[-1].sendall(said)
    assert polling.post("6").status in (200, 400)
    took = served.stop()
    assert served.process.returncode == 0, "".join(served.lines)
    assert not any("Traceback" in line for line in served.lines)
    for connection in (never_reads.socket.sock, *held):
        connection.close()
    return took


def test_ctrl_c_at_make_run_ends_in_peace(tmp_path):
    """A person at a terminal, who sees no complaint of make when the table is closed."""
    primary, secondary = pty.openpty()
    place = {"PORT": str(free_port()), "DATA": str(tmp_path), "TERM": "dumb"}
    made = subprocess.Popen(
        ["make", "--no-print-directory", "run"],
        cwd=ROOT,
        env={**os.environ, **place, "MAKEFLAGS": "", "MAKELEVEL": ""},
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(secondary)
    said = b""
    try:
        until = time.monotonic() + 2 * PATIENCE
        while b"Referee:" not in said:
            assert time.monotonic() < until, said
            if select.select([primary], [], [], 0.5)[0]:
                said += os.read(primary, 65536)
        os.write(primary, b"\x03")
        while made.poll() is None:
            assert time.monotonic() < until, said
            with suppress(OSError):
                if select.select([primary], [], [], 0.2)[0]:
                    said += os.read(primary, 65536)
    finally:
        if made.poll() is None:
            made.kill()
        os.close(primary)
    assert made.returncode == 0, said.decode()
    assert b"Interrupt" not in said
    assert b"Traceback" not in said


def test_ctrl_c_in_a_terminal_reaches_both_processes_and_stops_cleanly(served):
    screen = served.screen()
    os.killpg(served.process.pid, signal.SIGINT)
    assert served.process.wait(timeout=PATIENCE) == 0
    assert not any("Traceback" in line for line in served.lines)
    screen.close()


def test_a_stopped_table_opens_again_where_it_was_and_the_tablet_is_still_the_referee(served):
    served.do("sit", name="Ana")
    served.stop()
    again = Started(served.folder, port=served.port)
    try:
        assert again.code != served.code
        again.cookie = served.cookie
        assert [seat["name"] for seat in again.table["seats"]] == ["Ana"]
        assert again.do("sit", name="Ben").status == 200
    finally:
        again.stop()


def test_a_serving_process_that_dies_is_replaced_and_nothing_is_lost(served):
    answer = served.do("sit", name="Ana")
    (before,) = served.children()
    os.kill(before, signal.SIGKILL)
    eventually(lambda: served.children() and served.children() != [before])
    table = eventually(lambda: table_of(served))
    assert [seat["name"] for seat in table["seats"]] == ["Ana"]
    assert table["version"] >= answer.json["version"]
    assert served.do("sit", name="Ben").status == 200


def table_of(served: Served):
    try:
        return served.table
    except OSError:
        return None


def test_the_serving_process_ends_by_itself_when_its_watcher_is_killed(served):
    (serving,) = served.children()
    served.process.kill()
    served.process.wait()
    eventually(lambda: not alive(serving) or is_zombie(serving))


def is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("sign", [signal.SIGTTIN, signal.SIGTTOU, signal.SIGUSR2, signal.SIGWINCH])
def test_no_signal_ever_makes_a_second_table(served, sign):
    before = served.children()
    served.process.send_signal(sign)
    time.sleep(1.3)
    assert served.children() == before
    assert served.do("sit", name="Ana").status == 200


def test_a_taken_port_is_told_in_a_sentence(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = subprocess.run(
            command(port, tmp_path), capture_output=True, text=True, timeout=PATIENCE
        )
    assert done.returncode == 2
    assert f"Port {port} cannot be opened" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_journal_that_cannot_be_opened_is_told_in_a_sentence_and_once(served):
    served.stop()
    journal = served.folder / "data" / "journal.db"
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA user_version = 9999")
        connection.execute("UPDATE head SET format = 9999")
        connection.commit()
    done = subprocess.run(
        command(served.port, served.folder / "data"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "later version of the companion" in done.stderr


def test_two_tables_cannot_share_a_folder(served):
    done = subprocess.run(
        command(served.port + 1, served.folder / "data"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert served.do("sit", name="Ana").status == 200


def test_systemd_is_told_once_the_table_really_answers(tmp_path, monkeypatch):
    place = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(place))
        systemd.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(place))
        monkeypatch.setenv("WATCHDOG_USEC", "600000")
        served = Started(tmp_path / "table")
        try:
            assert systemd.recv(100) == b"READY=1"
            assert served.get("/healthz").status == 200
            assert systemd.recv(100) == b"WATCHDOG=1"
            assert systemd.recv(100) == b"WATCHDOG=1"
        finally:
            served.stop()


def test_a_page_that_reconnects_after_a_restart_is_given_the_whole_view(served):
    screen = served.screen()
    view = screen.views.get(timeout=PATIENCE)
    shown = {"boot": view["service"]["boot"], "version": view["table"]["version"]}
    served.do("sit", name="Ana")
    served.stop()
    again = Started(served.folder, port=served.port)
    again.cookie = served.cookie
    late = again.screen()
    answer = late.call("catch_up", shown)
    assert answer["boot"] != shown["boot"]
    assert [seat["name"] for seat in answer["view"]["table"]["seats"]] == ["Ana"]
    assert "version" in late.call("command", envelope("sit", name="Ben"))
    late.close()
    again.stop()


def test_no_thread_keeps_the_interpreter_from_a_press_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Set where the table is opened, whether or not that goes well."""

    def no_table() -> Any:
        raise CannotServe("There is no table.")

    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    usual = sys.getswitchinterval()
    server: Any = TableServer.__new__(TableServer)
    reading, server._complaint_in = os.pipe()
    server._open_table = no_table
    try:
        with pytest.raises(SystemExit):
            server._load()
        assert sys.getswitchinterval() <= 0.001
    finally:
        sys.setswitchinterval(usual)
        os.close(reading)
        os.close(server._complaint_in)
