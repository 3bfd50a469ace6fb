"""A hall on a broker that exists already: its users, its certificate and its access list."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.broker.mosquitto import Mosquitto
from companion.hall.table.membership import NotJoined, join, read_membership
from companion.settings.configuration import examine
from tests.hall.halls import TableProcess
from tests.hall.served_hall import ServedHall
from tests.home.broker import PROGRAM
from tests.kit.served import PATIENCE, eventually, free_port
from tests.kit.waiting import until

DOCS = Path(__file__).parents[3] / "docs" / "hall.md"
PASSWORDS = {"hall": "of the hall", "1": "of one", "2": "of two"}


class ClubBroker:
    """The broker of a club, set up by hand as the documentation tells."""

    def __init__(self, folder: Path) -> None:
        if PROGRAM is None:
            pytest.skip("there is no mosquitto here")
        folder.mkdir()
        self.folder = folder
        self.port = free_port()
        # Only for a certificate of its own; nothing of it is started.
        self.certificate = Mosquitto(folder, self.port, ()).certificate
        (folder / "access").write_text(documented("sh"))
        for user, password in PASSWORDS.items():
            create = [] if (folder / "users").exists() else ["-c"]
            words = ["mosquitto_passwd", "-b", *create, str(folder / "users"), user, password]
            subprocess.run(words, check=True, capture_output=True)
        (folder / "tables").write_text("1:of one\n2:of two\n")
        pem = self.certificate.parent / "hall.pem"
        lines = [f"listener {self.port} 127.0.0.1", f"certfile {pem}", f"keyfile {pem}"]
        lines += [f"acl_file {folder / 'access'}", f"password_file {folder / 'users'}"]
        lines += ["allow_anonymous false", *(["user root"] if os.getuid() == 0 else [])]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "-c", folder / "mosquitto.conf"], stdout=log, stderr=log
            )

    def configuration(self, password: str = PASSWORDS["hall"]) -> str:
        """What the documentation shows, with this broker's values."""
        values = {
            "host": "localhost",
            "port": self.port,
            "user": "hall",
            "password_file": str(self.folder / "password"),
            "ca_file": str(self.certificate),
            "tables": str(self.folder / "tables"),
        }
        (self.folder / "password").write_text(f"{password}\n")
        text = documented("toml")
        for name, value in values.items():
            shown = str(value) if isinstance(value, int) else f'"{value}"'
            text, found = re.subn(rf"(?m)^{name} = \S+", f"{name} = {shown}", text)
            assert found == 1, name
        return text

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


def documented(kind: str) -> str:
    """The example of that kind in the part about another broker."""
    part = DOCS.read_text(encoding="utf-8").partition("## Another broker")[2].partition("\n## ")[0]
    found = re.search(rf"```{kind}\n(.*?)```", part, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[ClubBroker]:
    broker = ClubBroker(tmp_path / "broker")
    yield broker
    broker.close()


@pytest.fixture
def hall(broker: ClubBroker, tmp_path: Path) -> Iterator[ServedHall]:
    hall = ServedHall(tmp_path / "hall", broker.configuration())
    hall.pair()
    yield hall
    hall.stop()


def test_a_table_joins_a_hall_on_another_broker_and_its_results_arrive(hall, broker, tmp_path):
    until(lambda: hall.get("/healthz").json["broker"])
    member = join(tmp_path / "table-1", f"127.0.0.1:{hall.port}", hall.desk()["table_code"])
    assert (member.table, member.host, member.port) == (1, "localhost", broker.port)
    with TableProcess(1, tmp_path / "table-1").start():
        eventually(lambda: len(hall.results()) > 1)
        assert hall.table(1)["here"]
    assert not (tmp_path / "hall" / "hall" / "broker").exists()


def test_a_table_that_was_taken_out_still_speaks_and_is_ignored_until_it_joins_again(
    hall, tmp_path
):
    """Its user belongs to the broker, where the hall changes nothing."""
    join(tmp_path / "table-1", f"127.0.0.1:{hall.port}", hall.desk()["table_code"])
    with TableProcess(1, tmp_path / "table-1").start() as table:
        eventually(lambda: len(hall.results()) > 1)
        assert not hall.table(1)["outside"]
        hall.command("remove_table", table=1)
        before = hall.results()
        version = table.version()
        until(lambda: table.version() > version + 20)
        seen = hall.table(1)
        assert (seen["joined"], seen["outside"], seen["people"]) == (False, True, [])
        assert hall.results() == before
    eventually(lambda: hall.desk()["tables"] == [])
    join(tmp_path / "table-1", f"127.0.0.1:{hall.port}", hall.desk()["table_code"])
    with TableProcess(1, tmp_path / "table-1").start("silent") as table:
        table.hears("arrived")
        assert len(hall.results()) > len(before)
        assert not hall.table(1)["outside"]


def test_a_table_without_a_user_at_the_broker_is_told_so(hall, tmp_path):
    with pytest.raises(NotJoined, match="no user for a table with that number"):
        join(tmp_path / "nine", f"127.0.0.1:{hall.port}", hall.desk()["table_code"], 9)
    assert read_membership(tmp_path / "nine") is None
    assert hall.desk()["tables"] == []


def test_the_desk_says_why_a_configured_broker_is_not_reached(broker, tmp_path):
    hall = ServedHall(tmp_path / "hall", broker.configuration("wrong"))
    hall.pair()
    eventually(lambda: "does not accept the user or the password" in (hall.desk()["broker"] or ""))
    hall.stop()


@pytest.mark.parametrize(
    ("section", "mistake"),
    [
        pytest.param({"host": "b"}, "hall.tables is missing.", id="no passwords of tables"),
        pytest.param(
            {"host": "b", "tables": "t"}, "hall.tables is the whole path", id="half a path"
        ),
        pytest.param(
            {"host": "b", "tables": "/t", "password": "p"}, "hall.user is missing", id="no user"
        ),
        pytest.param({"tables": "/t"}, "hall.host is missing.", id="no place"),
    ],
)
def test_mistakes_in_the_section_are_told(section, mistake):
    _, mistakes = examine({"hall": section})
    assert any(mistake in one for one in mistakes), mistakes
