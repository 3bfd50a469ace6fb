"""The plain door: what it shows, what it does, and the sentence for everything it does not."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import msgspec
import pytest

from companion.referee.model.house import HouseRules
from companion.referee.sentences import Sentence
from companion.view import View
from tests.kit.served import envelope

STATIC = Path(__file__).resolve().parents[3] / "web" / "static"


def built(*path: str) -> str:
    """Where a file of a bundled page is, whose name changes with what is in it."""
    found = json.loads((STATIC / "built" / "pages.json").read_text())
    for name in path:
        found = found[name]
    return f"/static/built/{found}"


def test_the_state_is_a_whole_view_beside_buttons_and_service(watcher):
    state = watcher.state()
    assert state.keys() == {"table", "hardware", "service"}
    view = msgspec.convert(
        state["table"], View, str_keys=True, dec_hook=lambda _, said: Sentence(said["code"])
    )
    assert (view.version, view.phase) == (state["table"]["version"], "seating")
    assert state["hardware"]["simulated"] is True
    assert [button["number"] for button in state["hardware"]["buttons"]][:2] == [1, 2]
    assert state["service"]["storage"] == "ok"


def test_the_schema_names_every_command_and_the_view(watcher):
    schema = watcher.get("/api/schema").json
    text = json.dumps(schema)
    assert all(f'"{kind}"' in text for kind in ("sit", "play", "declare_race", "overrule"))
    assert "missing_hands" in text


def test_the_health_check_answers_ok(watcher):
    answer = watcher.get("/healthz")
    assert (answer.status, answer.json["storage"]) == (200, "ok")


def test_the_buttons_can_be_looked_at_in_detail(watcher):
    hardware = watcher.get("/api/hardware").json
    assert hardware["simulated"] is True
    assert "presses" in hardware["buttons"][0]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        (built("tablet", "script"), "text/javascript"),
        (built("tablet", "style"), "text/css"),
        (built("tablet", "texts", "en"), "application/json"),
        ("/api/state", "application/json"),
    ],
)
def test_everything_is_sent_as_what_it_is_and_may_load_only_from_here(watcher, path, kind):
    answer = watcher.get(path)
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, kind)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy


@pytest.mark.parametrize("path", ["/", "/board", "/seat/1", "/history", "/rules", "/hardware"])
def test_a_page_has_no_script_or_style_of_its_own_and_names_only_what_is_there(watcher, path):
    page = watcher.get(path).body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", page)
    assert not re.search(r"https?://", page)
    for name in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert watcher.get(name).status == 200


def test_a_page_that_a_browser_has_is_not_sent_again(watcher):
    etag = watcher.get("/").headers["etag"]
    assert watcher.get("/", **{"If-None-Match": etag}).status == 304
    assert watcher.get("/board", **{"If-None-Match": etag}).status == 200


def test_no_screen_has_words_of_its_own():
    """Between tags stands only what the catalogue says, so that a language can be added."""
    for module in sorted((STATIC / "js").rglob("*.js")):
        for template in re.findall(r"html`(.*?)`", module.read_text(), re.DOTALL):
            for words in re.findall(r">([^<>${}]*[A-Za-z]{2}[^<>${}]*)<", template):
                pytest.fail(f"{module.name} says {words.strip()!r} by itself")


def test_every_house_rule_has_its_sentence_on_the_page():
    catalogue = json.loads((STATIC / "texts" / "en.json").read_text())["house"]
    offered = (STATIC / "js/setup/setup.js").read_text()
    for field in msgspec.structs.fields(HouseRules):
        assert catalogue[field.name]["title"]
        assert catalogue[field.name]["help"].endswith(".")
        assert f'name: "{field.name}"' in offered
    for rule in re.findall(r'name: "(\w+)", values: \[([^\]]*)\]', offered):
        for value in re.findall(r'"(\w+)"', rule[1]):
            assert catalogue[rule[0]][value]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        pytest.param(b"", "not_json", id="nothing"),
        pytest.param(b"\xff\xfe", "not_json", id="no text"),
        pytest.param(b'{"id":', "not_json", id="half of it"),
        pytest.param(b"[" * 8000, "not_json", id="a deep hole"),
        pytest.param(b"[]", "not_an_object", id="a list"),
        pytest.param(b"{}", "no_kind", id="no kind"),
        pytest.param(b'{"kind": "sti", "id": "12345678"}', "unknown_kind", id="a slip"),
        pytest.param(
            b'{"kind": "push_button", "id": "12345678"}', "not_from_a_screen", id="a button's"
        ),
        pytest.param(b'{"kind": "sit"}', "no_id", id="no id"),
        pytest.param(b'{"kind": "sit", "id": "x"}', "bad_id", id="a short id"),
        pytest.param(b'{"kind": "stand", "id": "12345678"}', "missing_field", id="no seat"),
        pytest.param(
            b'{"kind": "stand", "id": "12345678", "seat": 99}', "wrong_value", id="seat 99"
        ),
        pytest.param(b'{"kind": "sit", "id": "12345678", "x": 1}', "unknown_field", id="too much"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_and_changes_nothing(referee, body, error):
    before = referee.table
    answer = referee.post("/api/commands", body)
    assert (answer.status, answer.json["error"]) == (400, error)
    assert answer.json["message"].endswith((".", "?"))
    screen = referee.screen()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = body.decode("latin-1")
    assert "error" in screen.call("command", value)
    screen.close()
    assert referee.table == before


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json_is_taken(referee, kind):
    answer = referee.post("/api/commands", envelope("sit"), Content_Type=kind)
    assert (answer.status, answer.json["error"]) == (415, "not_json_type")


def test_a_body_that_is_too_large_is_not_read(referee):
    answer = referee.post("/api/commands", b" " * 20_000 + b"{}")
    assert (answer.status, answer.json["error"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/static/../server.py", 404),
        ("GET", "/static/%2e%2e/server.py", 404),
        ("GET", "/api/matches/99", 404),
        ("GET", "/api/matches/99.csv", 404),
        ("GET", "/api/matches/one", 404),
        ("GET", "/api/commands", 405),
        ("DELETE", "/api/state", 405),
    ],
)
def test_a_wrong_address_is_answered_in_json_with_a_sentence(watcher, method, path, status):
    answer = watcher.request(method, path)
    assert answer.status == status
    assert answer.json.keys() >= {"error", "message"}


def test_a_repeated_tap_has_one_effect_and_one_answer(served):
    tap = envelope("sit", name="Ana")
    first = served.post("/api/commands", tap)
    again = served.post("/api/commands", tap)
    assert first.status == again.status == 200
    assert first.json == again.json
    assert [seat["name"] for seat in served.table["seats"]] == ["Ana"]


def test_a_tap_on_an_old_screen_is_refused_with_what_changed(served):
    served.do("sit", name="Ana")
    old = served.table["version"]
    served.do("rename", seat=1, name="Ben")
    answer = served.do("rename", seat=1, name="Cam", version=old)
    assert (answer.status, answer.json["error"]) == (409, "stale")
    assert "Ben" in answer.json["message"]
    assert answer.json["version"] == served.table["version"]


def test_a_refusal_of_the_referee_comes_with_its_rule(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    for kind, fields in (
        ("set_up", {"way": "refereed"}),
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("turn_up", {"card": "red-5"}),
    ):
        assert served.do(kind, **fields).status == 200
    answer = served.do("play", card="blue-7")
    assert (answer.status, answer.json["rule"], answer.json["insist"]) == (422, "R5", True)
    assert "blue" in answer.json["message"]
    assert served.do("play", card="blue-7", insist=True).status == 200


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("<script>1</script>", id="markup"),
        pytest.param('"; DROP TABLE', id="a quote"),
        pytest.param("=1+1", id="a formula"),
    ],
)
def test_a_name_is_text_everywhere(served, name):
    assert served.do("sit", name=name).status == 200
    assert served.table["seats"][0]["name"] == name


def test_a_finished_round_can_be_saved_as_a_table(served):
    for name in ("=Ana", "Ben"):
        served.do("sit", name=name)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 1}),
        ("enter_hand", {"seat": 2, "cards": {"red-5": 1, "wild": 1}}),
        ("score_round", {}),
    ):
        assert served.do(kind, **fields).status == 200
    (listed,) = served.get("/api/matches").json["matches"]
    match = served.get(f"/api/matches/{listed['number']}").json
    assert match["sheet"]["rounds"][0]["hands"]["2"]["points"] == 55
    answer = served.get(f"/api/matches/{listed['number']}.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.body.decode())))
    assert [(row["name"], row["went_out"], row["points_left"]) for row in rows] == [
        ("'=Ana", "yes", "0"),
        ("Ben", "no", "55"),
    ]
    assert [row["classic_total"] for row in rows] == ["55", "0"]


def test_simulated_buttons_can_be_pushed_through_the_plain_door_by_the_referee_alone(served):
    push = {"button": 2, "down": True}
    cookie, served.cookie = served.cookie, None
    assert served.post("/api/simulate", push).status == 403
    served.cookie = cookie
    assert served.post("/api/simulate", push).status == 200
    assert served.post("/api/simulate", {**push, "down": False}).status == 200


@pytest.mark.parametrize(
    "push", [{}, {"button": 1}, {"button": "1", "down": True}, {"button": True, "down": True}, []]
)
def test_a_push_that_is_none_gets_a_sentence(referee, push):
    answer = referee.post("/api/simulate", push)
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


def test_a_button_that_is_not_there_cannot_be_pushed(referee):
    answer = referee.post("/api/simulate", {"button": 32, "down": True})
    assert (answer.status, answer.json["error"]) == (409, "no_such_button")
