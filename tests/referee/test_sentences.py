"""Sentences: players by number, text and names only for somebody who reads them."""

from __future__ import annotations

import msgspec
import pytest

from companion.referee.sentences import (
    Refusal,
    Sentence,
    described,
    packed,
    say,
    speaking,
    spoken,
    spoken_fields,
    spoken_json,
    unpacked,
)

NAMES = {1: "Ana", 2: "Ben"}


def test_players_are_named_and_whoever_is_not_known_has_a_number() -> None:
    tie = spoken(say("dead_heat", names=(1, 2, 7)), NAMES)
    assert tie.text == "Dead heat between Ana, Ben, Player 7: too close to call."
    assert tie.parts == {"names": "Ana, Ben, Player 7"}


def test_a_sentence_in_another_keeps_its_code_and_its_parts() -> None:
    inner = say("step_stand", name=(2,))
    outer = spoken(Sentence("choice_name", {"name": inner}), NAMES)
    assert outer.text == "Ben leaves"
    assert outer.parts == {"name": "Ben leaves", "name_code": "step_stand"}


def test_several_sentences_are_listed() -> None:
    both = tuple(say("step_stand", name=(player,)) for player in NAMES)
    assert spoken(say("choice_name", name=both), NAMES).text == "Ana leaves, Ben leaves"


def test_a_refusal_says_its_sentence_with_the_names_it_was_given() -> None:
    refusal = Refusal(say("no_call", name=(1,)), "R13")
    assert str(refusal) == "Player 1 has not called UNO."
    refusal.names = NAMES
    assert str(refusal) == "Ana has not called UNO."


def test_the_journal_keeps_a_code_and_numbers_and_a_screen_gets_text() -> None:
    said = [say("step_rematch"), say("caught", name=(1,), cards=2)]
    kept = msgspec.json.encode(said, enc_hook=packed)
    assert kept == b'["step_rematch",["caught",{"name":[1],"cards":2}]]'
    assert msgspec.json.decode(kept, type=list[Sentence], dec_hook=unpacked) == said
    shown = msgspec.json.decode(msgspec.json.encode(said, enc_hook=speaking(NAMES)))
    assert [one["text"] for one in shown] == ["Rematch", "Ana did not call UNO and draws 2."]
    assert described(Sentence) == {"$ref": "#/$defs/Spoken"}


def test_sentences_are_equal_by_what_they_say() -> None:
    one, same, other = say("caught", name=(1,)), say("caught", name=(1,)), say("caught", name=(2,))
    assert (one == same, one == other, one == "caught") == (True, False, False)
    assert hash(one) == hash(same)
    assert repr(one) == "Sentence('caught', {'name': (1,)})"


@pytest.mark.parametrize("hook", [packed, speaking({}), described, lambda v: unpacked(type(v), v)])
def test_nothing_else_is_written_or_read_as_a_sentence(hook) -> None:
    with pytest.raises(NotImplementedError):
        hook(1 + 2j)


class Told(msgspec.Struct):
    """Something with a sentence in it."""

    by: int
    said: Sentence


def test_a_value_is_written_whole_or_field_by_field_for_somebody_who_reads_its_sentences() -> None:
    told = Told(1, say("step_stand", name=(2,)))
    whole = msgspec.json.decode(spoken_json(told, NAMES))
    assert whole["said"]["text"] == "Ben leaves"
    fields = {
        name: msgspec.json.decode(field) for name, field in spoken_fields(told, NAMES).items()
    }
    assert fields == whole
