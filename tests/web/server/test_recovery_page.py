"""A table that does not open three times in a row explains itself on a page, and leads back."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.care.failed_starts import Starts
from companion.keeping import backups
from tests.kit.night import Night, play_a_while
from tests.kit.served import PATIENCE, Served, Started, command, eventually, free_port

pytestmark = pytest.mark.xdist_group("safe")

NOT_TOML = "[server\n"
BACKUP = "asked-20251116T193000Z.db"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    with Night(folder) as night:
        play_a_while(night)
    backups.make(folder, "asked", "2025-11-16T19:30:00Z")
    return folder


@pytest.fixture
def place(played: Path, tmp_path: Path) -> Path:
    """A table at which was played, and of which there is a backup."""
    shutil.copytree(played, tmp_path / "data")
    return tmp_path


def of_later_version(place: Path) -> str:
    with closing(sqlite3.connect(place / "data" / "journal.db")) as connection:
        connection.execute("PRAGMA user_version = 9999")
        connection.execute("UPDATE head SET format = 9999")
        connection.commit()
    return ""


def journal_is_a_folder(place: Path) -> str:
    (place / "data" / "journal.db").unlink()
    (place / "data" / "journal.db").mkdir()
    return ""


def wrong_configuration(_place: Path) -> str:
    return NOT_TOML


def wrong_edition(place: Path) -> str:
    (place / "data" / "editions").mkdir()
    (place / "data" / "editions" / "odd.toml").write_text("nmae = 'Odd'")
    return ""


def has_failed(place: Path) -> None:
    """Let three starts have come to nothing; one test makes them really do so."""
    for _ in range(3):
        starts = Starts(place / "data")
        starts.begin()
        starts.failed("It was Tuesday.")


def posted(served: Served, path: str, **form: str):
    return served.request("POST", path, urlencode(form).encode(), Content_Type=FORM)


def become_referee(served: Served) -> None:
    answer = posted(served, "/pair", code=served.code)
    assert answer.status == 303, answer
    served.cookie = answer.headers["set-cookie"].partition(";")[0]


@pytest.fixture(scope="module")
def shared(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The safe page of a table whose journal is of a later version."""
    place = tmp_path_factory.mktemp("safe")
    shutil.copytree(played, place / "data")
    of_later_version(place)
    has_failed(place)
    served = Started(place)
    yield served
    served.stop()


@pytest.fixture
def safe(shared: Served) -> Served:
    shared.cookie = None
    return shared


def test_three_failed_starts_lead_to_a_page_and_over_a_backup_to_an_open_table(place):
    of_later_version(place)
    port = free_port()
    for _ in range(3):
        done = subprocess.run(
            command(port, place / "data"), capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 2
        assert done.stderr.count("later version of the companion") == 1
        assert "Traceback" not in done.stderr
    safe = Started(place, port=port)
    try:
        become_referee(safe)
        page = safe.get("/").body.decode()
        assert page.count("later version of the companion") >= 4, "as the reason and in the log"
        (ask,) = re.findall(r'href="(/restore\?name=[^"]+)"', page)
        assert "Go back to this backup?" in safe.get(ask).body.decode()
        answer = posted(safe, "/restore", name=BACKUP)
        assert answer.status == 303, answer.body.decode()
        assert "is kept as journal-replaced-" in safe.get("/").body.decode()
        assert posted(safe, "/try-again").status == 200
        eventually(lambda: "The table is open.\n" in safe.lines, patience=PATIENCE)
        state = safe.state()
        assert [seat["name"] for seat in state["table"]["seats"]] == ["Ana", "Ben", "Cleo"]
        assert safe.get("/api/session").json["role"] == "referee", "the session goes on"
        assert len(list((place / "data").glob("journal-replaced-*.db"))) == 1
    finally:
        safe.stop()
    assert safe.process.returncode == 0


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        pytest.param(journal_is_a_folder, "journal", id="a journal that is no file"),
        pytest.param(wrong_configuration, "It is not TOML", id="a wrong configuration"),
        pytest.param(wrong_edition, "Did you mean name?", id="a wrong edition"),
    ],
)
def test_the_fourth_start_shows_why(place, trouble, reason):
    config = trouble(place)
    has_failed(place)
    served = Started(place, config=config)
    try:
        page = served.get("/")
        assert page.status == 200
        assert page.headers["content-type"].startswith("text/html")
        assert "The table doesn’t open" in page.body.decode()
        assert reason in page.body.decode()
        assert BACKUP in page.body.decode()
        assert served.get("/healthz").status == 503
    finally:
        assert served.stop() < 5


def test_what_was_mended_elsewhere_needs_no_page(place):
    """Whoever writes a right configuration and starts the table again has an open table."""
    has_failed(place)
    served = Started(place)
    try:
        assert served.get("/healthz").status == 200
    finally:
        served.stop()
    assert not Path(place / "data" / "starts.json").read_text().count("Tuesday")


TITLES = {
    "en": "The table doesn’t open",
    "es": "La mesa no se abre",
    "fr": "La table ne s’ouvre pas",
    "de": "Der Tisch geht nicht auf",
    "pt": "A mesa não abre",
}


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        pytest.param({}, "en", id="a browser that asks for nothing"),
        pytest.param({"Accept_Language": "pt-BR,pt;q=0.9,en;q=0.5"}, "pt", id="a Brazilian one"),
        pytest.param({"Accept_Language": "ja,fr;q=0.8"}, "fr", id="the first that there is"),
        pytest.param({"Accept_Language": "es-MX"}, "es", id="a Mexican one"),
        pytest.param(
            {"Accept_Language": "en-GB", "Cookie": "language=de"}, "de", id="chosen here before"
        ),
    ],
)
def test_the_page_speaks_the_language_of_whoever_opens_it(safe, headers, language):
    page = safe.get("/", **headers).body.decode()
    assert f'<html lang="{language}"' in page
    assert f"<h1>{TITLES[language]}</h1>" in page
    assert "later version of the companion" in page, "what the program says stays as it is"
    assert "{" not in re.sub(r"<pre.*</pre>", "", page, flags=re.DOTALL), "a part is missing"


def test_what_was_done_is_said_in_the_language_of_whoever_looks(place):
    of_later_version(place)
    has_failed(place)
    safe = Started(place)
    try:
        become_referee(safe)
        german = {"Cookie": f"{safe.cookie}; language=de"}
        assert "Dahin zurück" in safe.get("/", **german).body.decode()
        asked = safe.get(f"/restore?name={BACKUP}", **german).body.decode()
        assert "Zu dieser Sicherung zurückgehen?" in asked
        assert re.search(r"von Hand gemacht: \d+ Partien?, bis 20", asked)
        assert posted(safe, "/restore", name=BACKUP).status == 303
        told = safe.get("/", **german).body.decode()
        assert f"Der Tisch ist zurück bei {BACKUP}. Das Journal von vorher liegt als" in told
    finally:
        safe.stop()


def test_whoever_is_not_the_referee_can_only_read(safe):
    page = safe.get("/").body.decode()
    assert "Become the referee" in page
    for path in ("/restore", "/try-again"):
        assert posted(safe, path, name=BACKUP).status == 403
    for path in ("/journal.zip", "/support.zip", f"/backups/{BACKUP}"):
        assert safe.get(path).status == 403
    assert safe.get(f"/restore?name={BACKUP}").status == 403
    assert not list((safe.folder / "data").glob("journal-replaced-*"))


def test_a_page_elsewhere_can_do_nothing(safe):
    become_referee(safe)
    form = {"Content_Type": FORM}
    body = urlencode({"name": BACKUP}).encode()
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Host": "evil.example"},
    ):
        assert safe.request("POST", "/restore", body, **form, **headers).status in (403, 421)
    assert safe.get("/", Host="evil.example").status == 421
    policy = safe.get("/").headers["content-security-policy"]
    assert "script-src 'self'" in policy


def test_the_referee_takes_away_what_helps(safe):
    become_referee(safe)
    with zipfile.ZipFile(BytesIO(safe.get("/journal.zip").body)) as files:
        assert "journal.db" in files.namelist()
    copy = safe.get(f"/backups/{BACKUP}")
    assert copy.body.startswith(b"SQLite format 3")
    with zipfile.ZipFile(BytesIO(safe.get("/support.zip").body)) as files:
        assert "later version" in files.read("doctor.txt").decode()
        assert not any("Cleo" in files.read(name).decode() for name in files.namelist())
    for odd in ("..%2Fjournal.db", "companion.lock", "journal.db"):
        assert safe.get(f"/backups/{odd}").status in (404, 503)


def test_it_stands_in_for_every_other_page_and_programs_get_an_error(safe):
    for path in ("/board", "/seat/2", "/history"):
        assert "The table doesn’t open" in safe.get(path, Accept="text/html").body.decode()
    assert safe.get("/api/state", Accept="application/json").status == 503
    assert safe.get("/socket.io/?EIO=4&transport=polling", Accept="*/*").status == 503


def test_a_start_that_ended_without_a_word_three_times_is_only_tried_by_hand(place):
    """Something that brings the whole program down would do so again and again."""
    for _ in range(3):
        Starts(place / "data").begin()
    served = Started(place)
    try:
        assert "without giving a reason" in served.get("/").body.decode()
        become_referee(served)
        posted(served, "/try-again")
        eventually(lambda: "The table is open.\n" in served.lines, patience=PATIENCE)
        assert served.get("/healthz").status == 200
    finally:
        served.stop()


def test_systemd_gets_its_word_and_its_watchdog_from_the_safe_page_too(place, monkeypatch):
    of_later_version(place)
    has_failed(place)
    notify = place / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(notify))
        systemd.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", str(notify))
        monkeypatch.setenv("WATCHDOG_USEC", "600000")
        served = Started(place)
        try:
            assert systemd.recv(100) == b"READY=1"
            assert systemd.recv(100) == b"WATCHDOG=1"
        finally:
            served.stop()


def test_trying_again_in_vain_comes_back_to_the_page(safe):
    become_referee(safe)
    before = len([line for line in safe.lines if "does not open" in line])
    posted(safe, "/try-again")
    eventually(
        lambda: len([line for line in safe.lines if "does not open" in line]) > before,
        patience=PATIENCE,
    )
    assert "later version" in safe.get("/").body.decode()


def test_codes_cannot_be_guessed(safe):
    # Only now: after this, nobody can pair from here for a while.
    answers = [posted(safe, "/pair", code=f"AAAA-AAA{n}").status for n in range(2, 9)]
    assert answers == [403] * 5 + [429] * 2
