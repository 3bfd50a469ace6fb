"""The referee alone forgets; every screen follows, and nothing of it is left on the disk."""

from __future__ import annotations

import queue
from typing import Any

import pytest

from companion.journal.damage.verify import verify
from tests.kit.served import PATIENCE, Served

NAME = "Annelise"
MATCH: tuple[tuple[str, dict[str, object]], ...] = (
    ("start_match", {}),
    ("choose_dealer", {"seat": 1}),
    ("deal", {}),
    ("close_match", {}),
)


@pytest.fixture
def played(served: Served) -> Served:
    """Two matches; Annelise has left the second one, which is still on."""
    for name in ("Ben", "Cleo", NAME):
        assert served.do("sit", name=name).status == 200
    for kind, fields in (*MATCH, *MATCH[:1]):
        assert served.do(kind, **fields).status == 200, kind
    assert served.do("stand", seat=3).status == 200
    return served


def holding(served: Served, word: str) -> list[str]:
    files = (served.folder / "data").rglob("*")
    return [file.name for file in files if file.is_file() and word.encode() in file.read_bytes()]


def until(views: queue.Queue[Any], told: bool) -> Any:
    """The first view that says the name, or the first that does not."""
    while (NAME in str(view := views.get(timeout=PATIENCE))) is not told:
        pass
    return view


def test_the_referee_forgets_and_every_screen_follows(played: Served) -> None:
    screen = played.screen(watching=True)
    try:
        version = until(screen.views, told=True)["table"]["version"]
        asked = played.get(f"/api/forget?name={NAME.lower()}")
        assert asked.status == 200, asked
        assert asked.json["names"] == [NAME]
        assert [one["number"] for one in asked.json["matches"]] == [1, 2]
        answer = played.post("/api/forget", {"name": NAME})
        assert answer.status == 200, answer
        assert answer.json["instead"] == ["Player 3"]
        assert until(screen.views, told=False)["table"]["version"] == version
    finally:
        screen.close()
    assert holding(played, NAME) == []

    assert played.get("/api/forget?match=1").json["matches"][0]["players"][-1] == "Player 3"
    assert played.post("/api/forget", {"match": 1, "remove": True}).status == 200
    assert [one["number"] for one in played.get("/api/matches").json["matches"]] == [2]
    for path in ("/api/matches/1", "/api/matches/1/story", "/api/matches/1.csv"):
        assert played.get(path).status == 404
    assert played.get("/api/statistics").status == 200
    assert played.do("rename", seat=1, name="Benno").status == 200

    for wish, status, code in (
        ({"match": 1}, 404, "forget_no_match"),
        ({"match": 2}, 409, "forget_running"),
        ({"name": NAME}, 404, "forget_no_name"),
        ({"name": "CLEO"}, 409, "forget_seated"),
    ):
        again = played.post("/api/forget", wish)
        assert (again.status, again.json["error"]) == (status, code)
    assert verify(played.folder / "data").problems == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"match": "1"}',
        b'{"match": true}',
        b'{"match": 0}',
        b'{"match": -1}',
        b'{"match": 1e30}',
        b'{"match": 1, "name": "Ana"}',
        b'{"name": ""}',
        b'{"name": 7}',
        b'{"match": 1, "remove": "yes"}',
        b'{"match": 1, "everything": true}',
        b'{"name": "' + b"x" * 200 + b'"}',
    ],
)
def test_an_unclear_wish_forgets_nothing(referee: Served, body: bytes) -> None:
    answer = referee.post("/api/forget", body)
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


@pytest.mark.parametrize(
    "query", ["", "?match=", "?match=x", "?name=", "?match=1&name=Ana", "?all=1"]
)
def test_an_unclear_question_gets_a_sentence(referee: Served, query: str) -> None:
    answer = referee.get(f"/api/forget{query}")
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


def test_nobody_else_may_even_ask(watcher: Served) -> None:
    assert watcher.get("/api/forget?match=1").status == 403
    assert watcher.post("/api/forget", {"match": 1}).status == 403
