"""The journal of a served table is lost: every door says so, and the backups are offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.keeping import backups
from tests.kit.served import Served, Started, eventually
from tests.web.server.test_recovery_page import posted

pytestmark = pytest.mark.xdist_group("safe")

OPEN = "The table is open.\n"


def test_a_journal_removed_under_a_served_table(tmp_path: Path) -> None:
    """As it was found: rm journal.db, and twelve commands were acknowledged and lost."""
    served = Started(tmp_path)
    try:
        served.pair()
        assert served.do("sit", name="Ana").status == 200
        watching = served.screen(watching=True)
        (tmp_path / "data" / "journal.db").unlink()
        answers = [served.do("sit", name=f"Guest {number}") for number in range(12)]
        assert {answer.status for answer in answers} == {503}
        assert {answer.json["error"] for answer in answers} == {"not_saved"}
        lost = eventually(lambda: served.state()["service"]["lost"])
        assert (lost["how"], lost["file"]) == ("removed", "journal.db")
        eventually(lambda: watching.views.get()["service"]["lost"])
        watching.close()
        assert served.get("/healthz").status == 503
        assert served.post("/api/lost", {}, Cookie=None).status == 403
        assert served.post("/api/lost", {}).status == 200
        page = eventually(lambda: safe_page(served))
        assert b"journal.db was removed" in page
        assert b"/restore?name=journal-rescued-" in page
        (kept,) = backups.listed(tmp_path / "data")
        assert posted(served, "/restore", name=kept.path.name).status == 303
        posted(served, "/try-again")
        eventually(lambda: served.lines.count(OPEN) == 2)
        assert [seat["name"] for seat in served.table["seats"]] == ["Ana"]
    finally:
        served.stop()


def safe_page(served: Served) -> bytes:
    """The page that stands in for the table, once it does."""
    try:
        return served.get("/").body if served.get("/healthz").json.get("safe") else b""
    except OSError:
        return b""


def test_a_table_with_its_journal_at_its_place_does_not_close(shared: Served, session: str) -> None:
    answer = shared.post("/api/lost", {}, Cookie=session)
    assert (answer.status, answer.json["error"]) == (409, "not_lost")


def test_a_start_without_the_journal_offers_the_backups_at_once(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.pair()
    served.do("sit", name="Ana")
    cookie = served.cookie
    served.stop()
    backups.make(tmp_path / "data", "asked", "2025-11-16T19:30:00Z")
    (tmp_path / "data" / "journal.db").unlink()
    safe = Started(tmp_path, port=served.port)
    try:
        safe.cookie = cookie
        page = safe.get("/").body
        assert b"journal.db is not here" in page
        assert b"asked-20251116T193000Z.db" in page
        assert b"/begin-anew" in page
        assert safe.post("/begin-anew", {}, Cookie=None).status == 403
        assert posted(safe, "/begin-anew").status == 303
        assert posted(safe, "/begin-anew").status == 409
        posted(safe, "/try-again")
        eventually(lambda: OPEN in safe.lines)
        assert safe.table["seats"] == []
    finally:
        safe.stop()
