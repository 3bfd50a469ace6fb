"""What a screen sends is read strictly, and whatever is wrong with it is said in a sentence."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.common.refusals import service_refusal
from companion.referee import commands as c
from companion.referee.sentences import Refusal, say, spoken_json
from companion.service.envelope import (
    OTHER_KINDS,
    PERSON_KINDS,
    decode,
    error_body,
    schema,
    status_of,
)
from tests.kit.night import Night

ID = "0b6f3c52-93c4-4a86-9d5b-0d3c0b7f3f11"


def request(**fields: Any) -> dict[str, Any]:
    return {"id": ID, "version": 3, **fields}


def test_a_request_is_read_from_both_doors_alike() -> None:
    fields = request(kind="draw_for_deal", cards={"1": "red-5", "2": "wild"})
    for body in (fields, json.dumps(fields), json.dumps(fields).encode()):
        wish = decode(body)
        assert (wish.id, wish.version) == (ID, 3)
        assert wish.command == c.DrawForDeal({1: "red-5", 2: "wild"})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("fields", "command"),
    [
        pytest.param(
            {"kind": "answer", "question": 41, "answer": "yes"}, c.Answer(41, "yes"), id="an answer"
        ),
        pytest.param(
            {"kind": "change_play", "turn": 3, "card": "street-race"},
            c.ChangePlay(3, "street-race"),  # type: ignore[arg-type]
            id="another card",
        ),
        pytest.param(
            {"kind": "change_play", "turn": 3, "remove": True},
            c.ChangePlay(3, remove=True),
            id="a turn that never was",
        ),
    ],
)
def test_what_the_table_was_told_wrongly_can_be_set_right(
    fields: dict[str, Any], command: c.PersonCommand
) -> None:
    assert decode(request(**fields)).command == command


def test_no_button_can_be_held_from_a_screen() -> None:
    with pytest.raises(Refusal) as bad:
        decode(request(kind="hold_seat", seat=1, pressed_at=5))
    assert bad.value.sentence.code == "unknown_kind"


def test_the_version_may_be_left_out() -> None:
    assert decode({"id": ID, "kind": "undo"}).version is None
    assert decode({"id": ID, "kind": "undo", "version": None}).version is None


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        pytest.param(b"{", "not_json", "truncated", id="half a request"),
        pytest.param(b"\xff\xfe", "not_json", "not JSON", id="no text at all"),
        pytest.param(b"[" * 15_000, "not_json", "not JSON", id="brackets without end"),
        pytest.param(b"[1, 2]", "not_an_object", "object", id="a list"),
        pytest.param(b"null", "not_an_object", "object", id="nothing"),
        pytest.param({}, "no_kind", "sit", id="an empty request"),
        pytest.param(request(kind="setup"), "unknown_kind", "Did you mean set_up?", id="a slip"),
        pytest.param(request(kind="zzz"), "unknown_kind", "zzz", id="a kind nobody knows"),
        pytest.param(request(kind=7), "unknown_kind", "7", id="a number as kind"),
        pytest.param({"kind": "undo"}, "no_id", "id", id="no id"),
        pytest.param({"kind": "undo", "id": 5}, "bad_id", "8 to 64", id="a number as id"),
        pytest.param({"kind": "undo", "id": "short"}, "bad_id", "8 to 64", id="too short an id"),
        pytest.param({"kind": "undo", "id": "x" * 65}, "bad_id", "8 to 64", id="too long an id"),
        pytest.param({"kind": "undo", "id": "a\nb" * 5}, "bad_id", "8 to 64", id="lines in an id"),
        pytest.param(request(kind="undo") | {"version": "3"}, "bad_version", "whole", id="a text"),
        pytest.param(request(kind="undo") | {"version": -1}, "bad_version", "whole", id="below 0"),
        pytest.param(request(kind="undo") | {"version": True}, "bad_version", "whole", id="true"),
        pytest.param(request(kind="stand"), "missing_field", "stand needs seat", id="no seat"),
        pytest.param(
            request(kind="sit", nmae="Ana"), "unknown_field", "Did you mean name?", id="nmae"
        ),
        pytest.param(
            request(kind="stand", seat="1"),
            "wrong_value",
            "a whole number is expected, not a text",
            id="'1'",
        ),
        pytest.param(request(kind="stand", seat=11), "wrong_value", "10 is the most", id="seat 11"),
        pytest.param(request(kind="stand", seat=0), "wrong_value", "1 is the least", id="seat 0"),
        pytest.param(request(kind="stand", seat=True), "wrong_value", "true or false", id="a yes"),
        pytest.param(
            request(kind="name_colour", colour="pink"), "wrong_value", "'pink'", id="a pink card"
        ),
        pytest.param(
            request(kind="set_up", house={"deal_tye": 1}), "wrong_value", "deal_tye", id="a house"
        ),
        pytest.param(
            request(kind="draw_for_deal", cards={"first": "red-5"}),
            "wrong_value",
            "cards",
            id="a seat that is no number",
        ),
        pytest.param(
            request(kind="sit", name="\ud800"), "not_json", "not JSON", id="half a letter"
        ),
        pytest.param(
            request(kind="sit", name=object()), "not_json", "not JSON", id="no JSON value"
        ),
    ],
)
def test_what_cannot_be_read_is_answered_with_a_sentence(body: Any, code: str, says: str) -> None:
    with pytest.raises(Refusal) as bad:
        decode(body)
    problem = json.loads(error_body(bad.value))
    assert problem["error"] == code
    assert says in problem["message"]
    assert status_of(bad.value) == 400


@pytest.mark.parametrize("kind", sorted(OTHER_KINDS))
def test_nobody_can_press_a_wired_button_from_a_screen(kind: str) -> None:
    fields = {field.name: 1 for field in msgspec.structs.fields(OTHER_KINDS[kind])}
    with pytest.raises(Refusal) as bad:
        decode(request(kind=kind, **fields))
    assert bad.value.sentence.code == "not_from_a_screen"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(
    kind=st.sampled_from(sorted(PERSON_KINDS)),
    fields=st.dictionaries(
        st.sampled_from(["seat", "card", "cards", "name", "points", "hands", "house", "x"]),
        json_values,
        max_size=4,
    ),
)
def test_any_request_is_read_or_refused_with_a_sentence(kind: str, fields: dict[str, Any]) -> None:
    outcome: object
    try:
        outcome = decode(request(kind=kind, **fields)).command
    except Refusal as bad:
        outcome = str(bad)
    assert isinstance(outcome, PERSON_KINDS[kind]) or str(outcome).endswith((".", "?"))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(Refusal):
        decode(body)


@pytest.mark.parametrize(
    ("code", "status"),
    [("stale", 409), ("id_reused", 409), ("not_saved", 503), ("busy", 503), ("bug", 500)],
)
def test_the_services_refusals_have_their_status(code: str, status: int) -> None:
    refusal = service_refusal(code, changed="x", id="x", trouble="x", waiting=1)
    assert status_of(refusal) == status


def test_a_refusal_of_the_referee_says_all_it_knows() -> None:
    refusal = Refusal(say("unknown_seat", seat=9), "R5", insist=True)
    assert status_of(refusal) == 422
    assert json.loads(error_body(refusal)) == {
        "error": "unknown_seat",
        "message": "Nobody sits at seat 9.",
        "parts": {"seat": 9},
        "rule": "R5",
        "insist": True,
    }


def test_an_answer_goes_out_with_names_and_text(night: Night) -> None:
    answer = night.do(c.Sit("Ana"))
    step, taken = json.loads(spoken_json(answer, {1: "Ana"}))["events"]
    assert (step["label"]["text"], taken["event"]) == ("Ana sits down", "seat_taken")


def test_the_schema_names_every_request_and_the_view() -> None:
    described = schema()
    kinds = {
        described["$defs"][shape["$ref"].rpartition("/")[2]]["properties"]["kind"]["enum"][0]
        for shape in described["command"]["oneOf"]
    }
    assert kinds == set(PERSON_KINDS)
    assert "id" in described["$defs"]["Sit"]["required"]
    for shape in described["command"]["oneOf"]:
        assert "id" in described["$defs"][shape["$ref"].rpartition("/")[2]]["required"]
    for part in ("view", "answer", "error"):
        assert described[part]["$ref"].rpartition("/")[2] in described["$defs"]
    json.dumps(described)
