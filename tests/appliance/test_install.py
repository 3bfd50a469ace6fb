"""One command installs the table on a Debian, a later one upgrades it, and one removes it.

The tests tell one story in order: an earlier version is installed where no systemd is running, as
when a card is prepared, and plays a round; this version comes; then the machine is booted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import companion
from tests.appliance.debian import PATIENCE
from tests.appliance.evening import Referee, until
from tests.appliance.house import CONFIG, MATCHES, NAME, OFFLINE, UNIT, House, Said
from tests.appliance.machine import Machine
from tests.appliance.wheels import CannotRun, as_version
from tests.kit.served import free_port

pytestmark = [pytest.mark.timeout(PATIENCE), pytest.mark.xdist_group("appliance")]

EARLIER, BROKEN = "0.0.1", "99.0"
STAYS = "The matches stay"


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    try:
        house = House(free_port())
    except CannotRun as reason:
        pytest.skip(f"not installed anywhere: {reason}")
    yield house
    house.close()


@pytest.fixture(scope="module")
def earlier(house, wheel, tmp_path_factory) -> Path:
    return as_version(wheel, EARLIER, tmp_path_factory.mktemp("earlier"))


@pytest.fixture(scope="module")
def first(house: House, earlier: Path) -> Said:
    """The first installation, of an earlier version."""
    return house.install(earlier)


@pytest.fixture(scope="module")
def second(house, earlier, first) -> tuple[Said, Any, Any]:
    """The same again, and the files before and after."""
    before = house.paths()
    return house.install(earlier), before, house.paths()


@pytest.fixture(scope="module")
def played(house, earlier, second) -> Any:
    """The score of a round that the earlier version refereed, on a port of its own."""
    house.move_to_its_port()
    said = house.install(earlier, "--usb")
    assert said.code == 0, said.text
    table = house.open_table()
    try:
        table.referee.pair(table.printed)
        table.referee.play_round()
        return table.referee.score()
    finally:
        table.close()


@pytest.fixture(scope="module")
def upgrade(house: House, played: Any, wheel: Path) -> Said:
    """The version of here over the earlier one, and a hall beside the table."""
    return house.install(wheel, "--hall")


@pytest.fixture(scope="module")
def machine(house, upgrade) -> Iterator[Machine]:
    try:
        machine = Machine(house.root)
    except CannotRun as reason:
        pytest.skip(f"not booted: {reason}")
    yield machine
    machine.power_off()


@pytest.fixture
def referee(house, machine) -> Referee:
    """A referee on another machine of the home network."""
    referee = Referee(machine.address, house.port)
    until(referee.answers, "the table answers over the wire")
    return referee


def test_without_root_or_a_wheel_the_installer_says_what_it_needs(house, wheel):
    installer = "/install"
    (house.root / "install").write_text(Path("systemd/install").read_text())
    nobody = ("setpriv", "--reuid=nobody", "--clear-groups", "sh", installer)
    for command, sentence in (
        ((*nobody, wheel.name), "Installing needs root. Run it with sudo.\n"),
        (("sh", installer, "no.whl"), "There is no file no.whl.\n"),
        (("sh", installer), "Which wheel? Name one (see --help), or make one: make wheel\n"),
        (("sh", installer, "--quick"), "There is no option --quick; see --help.\n"),
    ):
        assert house.run(*command) == Said(1, sentence)
    said = house.run("sh", installer, "/etc/passwd")
    assert said.code == 1
    assert said.text.endswith("/etc/passwd is not a wheel of Table Companion.\n")
    assert not (house.root / UNIT).exists()


def test_a_first_installation_says_each_step_and_where_it_could_not_go_on(house, first):
    assert first.code == 0, first.text
    for sentence in (
        f"Installing version {EARLIER} into /opt/{NAME}/{EARLIER}-",
        f"Making the user {NAME}",
        "Writing a first configuration",
        "systemd is not running here, so the table was not started. It starts at the next boot.",
        f"To remove it again: sudo /opt/{NAME}/uninstall",
    ):
        assert sentence in first.text
    assert "node" not in first.text
    wanted = house.root / "etc/systemd/system/multi-user.target.wants"
    assert {link.name for link in wanted.glob(f"{NAME}*")} == {
        f"{NAME}.service",
        f"{NAME}-name.service",
    }
    assert stat.S_IMODE((house.root / MATCHES).stat().st_mode) == 0o750
    assert 'GROUP="gpio"' in (house.root / f"etc/udev/rules.d/60-{NAME}.rules").read_text()
    # The command companion checks the buttons with the rights of this user.
    assert "gpio" in house.run("id", "--groups", "--name", NAME).text.split()


def test_a_system_of_32_bits_under_a_kernel_of_64_is_refused_at_once(house, first):
    asked = house.root / "usr/local/bin/dpkg"
    asked.write_text("#!/bin/sh\necho armhf\n")
    asked.chmod(0o755)
    said = house.run("sh", "/install", "/none.whl")
    asked.unlink()
    assert said.code == 1
    assert said.text.startswith("This system is armhf. The table needs a 64-bit system")


def test_a_second_installation_of_the_same_changes_nothing(second):
    said, before, after = second
    assert said.code == 0
    assert "It is there already." in said.text
    assert before == after


def test_the_earlier_version_plays_a_round_as_its_own_user(house, played):
    assert [player["name"] for player in played["players"]] == ["Ana", "Ben", "Cleo"]
    assert [player["classic"] for player in played["players"]] == [0, 50, 0]
    journal = house.root / MATCHES / "journal.db"
    owner = house.run("stat", "--format=%U", f"/{MATCHES}/journal.db")
    assert owner.text.strip() == NAME
    assert not stat.S_IMODE(journal.stat().st_mode) & 0o077


def test_a_new_port_reaches_the_network_s_notice_too(house, played):
    notice = house.root / "etc/avahi/services" / f"{NAME}.service"
    assert f"<port>{house.port}</port>" in notice.read_text()


def test_usb_encoders_can_be_read_when_asked_for_and_after_an_upgrade_too(house, upgrade):
    read = f"/opt/{NAME}/current/bin/python", "-c", "import evdev; print(evdev.__name__)"
    assert house.run(*read) == Said(0, "evdev\n")
    right = house.root / f"{UNIT}.d" / "usb.conf"
    assert "DeviceAllow=char-input r" in right.read_text()
    assert "input" in house.run("id", "--groups", "--name", NAME).text.split()


def test_an_upgrade_copies_the_journal_first_and_keeps_the_version_before(house, upgrade):
    assert upgrade.code == 0, upgrade.text
    assert f"Replacing version {EARLIER} with {companion.__version__}." in upgrade.text
    (copy,) = (house.root / MATCHES / "backups").glob(f"before-{companion.__version__}-*.db")
    assert copy.stat().st_uid == (house.root / MATCHES).stat().st_uid
    versions = {path.name.split("-")[0] for path in (house.root / "opt" / NAME).glob("*-*")}
    assert versions == {EARLIER, companion.__version__}
    current = os.readlink(house.root / "opt" / NAME / "current")
    assert current.startswith(f"{companion.__version__}-")


def test_after_the_upgrade_the_round_is_still_there(house, upgrade, played):
    table = house.open_table()
    try:
        assert table.referee.score() == played
    finally:
        table.close()
    checked = house.run("companion", "verify")
    assert checked.code == 0, checked.text
    assert "The journal is whole" in checked.text


def test_the_table_opens_by_itself_when_the_machine_is_booted(machine, referee, played):
    assert referee.score() == played
    known = machine.shown(NAME, "ActiveState", "Type", "NRestarts", "StatusErrno")
    assert known["ActiveState"] == "active"
    assert known["NRestarts"] == "0"
    assert machine.run("systemctl", "--failed", "--quiet") == ""


def test_the_hall_opens_beside_the_table_with_a_broker_of_its_own(house, machine, referee):
    hall = Referee(machine.address, 8090)
    until(lambda: hall.answers() and hall.ask("/healthz")["broker"], "the hall hears its broker")
    known = machine.shown(f"{NAME}-hall", "ActiveState", "User", "NRestarts")
    assert (known["ActiveState"], known["User"], known["NRestarts"]) == ("active", NAME, "0")
    assert (house.root / MATCHES / "hall" / "journal.db").is_file()
    assert "/desk?code=" in machine.log(f"{NAME}-hall")
    assert machine.run("companion", "verify", "--hall").startswith("The hall's journal is whole")


def test_a_tablet_finds_the_table_by_its_name(house, machine, referee):
    found = until(lambda: machine.look_up("companion.local"), "companion.local is known")
    assert found == machine.address
    assert referee.ask("/healthz", name=f"companion.local:{house.port}")
    assert b"<script" in referee.fetch("/", name=f"companion.local:{house.port}")
    assert f"http://companion.local:{house.port}/?code=" in machine.log(NAME)


def test_nobody_from_outside_the_home_network_reaches_the_table(house, machine, referee):
    if "does not support BPF/cgroup firewalling" in machine.run("journalctl", "-b", "-q"):
        pytest.skip("this kernel lets no systemd filter addresses")
    machine.has_second_address("203.0.113.1", "203.0.113.2")
    assert not Referee("203.0.113.2", house.port, patience=10).answers()
    assert referee.answers()


def test_the_running_table_can_do_nothing_but_its_work(machine, referee):
    pid = machine.shown(NAME, "MainPID")["MainPID"]
    status = dict(
        line.split(":\t", 1)
        for line in machine.run("cat", f"/proc/{pid}/status").splitlines()
        if ":\t" in line
    )
    assert {status[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    link = machine.run("stat", "--format=%a %U %G", f"/run/{NAME}/referee").strip()
    assert link == f"640 {NAME} {NAME}"
    assert status["Uid"].split()[0] == machine.run("id", "-u", NAME).strip()
    groups = machine.run("getent", "group", "gpio", "input", NAME).split()
    assert set(status["Groups"].split()) == {line.split(":")[2] for line in groups}
    view = ("nsenter", f"--target={pid}", "--mount", "sh", "-c")
    for place in ("/etc", "/opt", "/usr", f"/opt/{NAME}", "/var/lib", "/var/log"):
        said = machine.run(*view, f"touch {place}/here", check=False)
        assert "Read-only file system" in said, place
    assert machine.run(*view, f"touch /{MATCHES}/here && rm /{MATCHES}/here") == ""
    assert machine.run(*view, "ls /root /home") in ("", "/home:\n\n/root:\n")


@pytest.mark.parametrize("whose", ["the table", "its watcher"])
def test_the_table_is_back_within_seconds_when_a_process_is_killed(machine, referee, played, whose):
    watcher, table = processes(machine)
    machine.run("sh", "-c", f"kill -9 {watcher if whose == 'its watcher' else table}")
    until(lambda: processes(machine)[1] not in ("", table), "another process serves")
    until(referee.answers, "the table is back")
    assert referee.score() == played


def test_a_table_that_hangs_is_started_anew(machine, referee, played):
    assert machine.shown(NAME, "WatchdogUSec")["WatchdogUSec"] == "30s"
    drop_in = f"/run/systemd/system/{NAME}.service.d"
    machine.run("mkdir", "-p", drop_in)
    machine.run("sh", "-c", f"printf '[Service]\\nWatchdogSec=4\\n' >{drop_in}/impatient.conf")
    for command in ("daemon-reload", f"reset-failed {NAME}", f"restart {NAME}"):
        machine.run("systemctl", *command.split())
    machine.run("sh", "-c", f"kill -STOP {processes(machine)[1]}")
    until(lambda: machine.shown(NAME, "NRestarts")["NRestarts"] != "0", "systemd restarts it")
    until(referee.answers, "the table is back")
    assert referee.score() == played
    machine.run("rm", "-r", drop_in)
    machine.run("systemctl", "daemon-reload")


def test_a_table_that_cannot_open_explains_itself_and_opens_once_that_is_mended(
    house, machine, referee, played
):
    config = house.root / CONFIG
    right = config.read_text()
    config.write_text(right + "[hose]\n")
    machine.run("systemctl", "restart", NAME, check=False)
    until(lambda: "The table doesn’t open" in fetched(referee).decode(), "the safe page answers")
    assert b"Did you mean house?" in fetched(referee)
    known = machine.shown(NAME, "ActiveState", "SubState", "NRestarts")
    assert (known["ActiveState"], known["SubState"], known["NRestarts"]) == (
        "active",
        "running",
        "3",
    )
    assert "This page shows why" in machine.log(NAME)
    config.write_text(right)
    machine.run("systemctl", "restart", NAME)
    until(referee.answers, "the table is back")
    assert referee.score() == played


def fetched(referee: Referee) -> bytes:
    try:
        return referee.fetch("/")
    except OSError:
        return b""


def test_the_installed_commands_look_after_the_running_table(machine, referee):
    said = machine.run("companion", "doctor", check=False)
    assert "The table runs and answers." in said
    assert "DO  " not in said, said
    assert "1 match, up to" in machine.run("companion", "backup")
    listed = machine.run("companion", "restore")
    assert "before an upgrade" in listed
    assert "made by hand" in listed
    said = machine.run("companion", "restore", f"before-{companion.__version__}", check=False)
    assert "There is no backup" in said
    name = next(line.split()[0] for line in listed.splitlines() if "made by hand" in line)
    assert "is using" in machine.run("companion", "restore", name, check=False)
    machine.run("sh", "-c", "companion support --output - >/tmp/support.zip")
    assert machine.run("python3", "-m", "zipfile", "-t", "/tmp/support.zip")


def processes(machine: Machine) -> tuple[str, str]:
    """The process that watches and the one that serves, by their numbers."""
    watcher = machine.shown(NAME, "MainPID")["MainPID"]
    listed = f"cat /proc/{watcher}/task/{watcher}/children 2>/dev/null"
    return watcher, machine.run("sh", "-c", listed, check=False).strip()


def test_an_upgrade_that_does_not_open_the_table_is_taken_back(
    house, machine, referee, played, wheel, tmp_path
):
    broken = as_version(wheel, BROKEN, tmp_path, spoil)
    said = machine.run(
        *house.installing(broken),
        check=False,
        **OFFLINE,
    )
    assert f"Version {BROKEN} does not open the table. This is what it said:" in said
    assert "It was never tried out." in said
    assert f"The upgrade to version {BROKEN} was taken back;" in said
    assert said.endswith(f"version {companion.__version__} runs again.\n")
    until(referee.answers, "the table is back")
    assert referee.score() == played
    assert "The journal is whole" in machine.run("companion", "verify")
    kept = {path.name for path in (house.root / MATCHES).glob("journal.db.of-before-*")}
    assert len({name.removesuffix("-wal").removesuffix("-shm") for name in kept}) == 1


def spoil(inside: Path) -> None:
    """Make a version that changes the journal's format and then fails."""
    command = inside / "companion" / "cli" / "run.py"
    trouble = """\
    import sqlite3

    with sqlite3.connect(data / "journal.db") as journal:
        journal.execute("PRAGMA user_version = 99")
    raise Problem("It was never tried out.")
"""
    work = "    with problems_told():\n"
    assert work in command.read_text()
    command.write_text(command.read_text().replace(work, trouble + work, 1))


def test_removing_the_table_leaves_the_matches_and_a_second_time_nothing_to_do(house, machine):
    assert machine.shown(NAME, "ActiveState")["ActiveState"] == "active"
    said = machine.run(f"/opt/{NAME}/uninstall")
    assert f"Stopping {NAME}." in said
    assert STAYS in said
    assert machine.shown(NAME, "LoadState")["LoadState"] == "not-found"
    assert not Referee(machine.address, house.port).answers()
    assert not (house.root / "opt" / NAME).exists()
    assert (house.root / MATCHES / "journal.db").exists()
    assert (house.root / CONFIG).exists()
    again = house_script(machine)
    assert "There was nothing to remove." in again
    assert STAYS in again


def test_a_purge_leaves_no_trace(house, machine):
    assert "Removing" in house_script(machine, "--purge")
    assert house.left_over() == []
    assert "There was nothing to remove." in house_script(machine, "--purge")


def house_script(machine: Machine, *options: str) -> str:
    """Remove with the project's own script, where the installed one is gone."""
    script = Path("systemd/uninstall").read_text()
    return machine.run("sh", "-c", script, "uninstall", *options)
