"""Reference: what people look up, which changes nothing: editions, a card, and the statistics."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from companion.past.past import Past
from companion.referee.model.cards import COLOURS, Card, colour_of
from companion.referee.model.edition import Edition
from companion.referee.rules.turns import goes_on, may_play
from companion.referee.sentences import spoken
from companion.service.worker import Worker
from web.api.api import sent
from web.api.command_door import Reply, error
from web.api.past.match_filter import read_wanted

MOST_NAMES = 40
STAND_IN = re.compile(r"Player \d+")  # somebody who only pressed a button
EXAMPLE = "/api/may-play?edition=express&top=red-5&card=blue-5"


def reference(worker: Worker, past: Past) -> Blueprint:
    """The addresses for looking something up."""
    doors = Blueprint("reference", __name__)

    @doors.get("/api/editions")
    def editions() -> Response:
        known = worker.table.editions
        return sent(Reply(200, {"editions": [_described(edition) for edition in known]}))

    @doors.get("/api/names")
    def names() -> Response:
        return sent(Reply(200, {"names": _names(past)}))

    @doors.get("/api/may-play")
    def may_this_be_played() -> Response:
        return sent(_may_play(worker, request.args.to_dict()))

    @doors.get("/api/statistics")
    def statistics() -> Response:
        wanted = read_wanted(request.args)
        if isinstance(wanted, Reply):
            return sent(wanted)
        return sent(Reply(200, msgspec.to_builtins(past.statistics(wanted))))

    return doors


def _names(past: Past) -> list[str]:
    """Who has played at this table before, the latest first, each once."""
    players = [player.name for brief in past.briefs() for player in brief.players]
    return [name for name in dict.fromkeys(players) if not STAND_IN.fullmatch(name)][:MOST_NAMES]


def _described(edition: Edition) -> dict[str, Any]:
    """An edition with every number that its rules need."""
    described: dict[str, Any] = msgspec.to_builtins(edition)
    return {**described, "size": edition.size, "race": edition.race_card is not None}


def _may_play(worker: Worker, asked: dict[str, str]) -> Reply:
    """Answer whether a card goes on another: yes, no, or only with an honest hand."""
    missing = [name for name in ("edition", "top", "card") if name not in asked]
    if missing:
        said = f"Still to say: {' and '.join(missing)}. For example: {EXAMPLE}"
        return error(400, "missing_field", said)
    edition = worker.table.edition(asked["edition"])
    if edition is None:
        keys = ", ".join(edition.key for edition in worker.table.editions)
        return error(400, "unknown_edition", f"There is no such edition. Known: {keys}.")
    for name in ("top", "card"):
        if asked[name] not in edition.deck:
            return error(400, "unknown_card", f"{edition.name} has no such card for {name}.")
    top, card = Card(asked["top"]), Card(asked["card"])
    printed, named = colour_of(top), asked.get("colour")
    if named is not None and named not in COLOURS:
        return error(400, "wrong_value", f"A colour is one of {', '.join(COLOURS)}.")
    if printed is not None and named not in (None, printed):
        return error(400, "wrong_value", f"That top card is {printed}, so {printed} is in play.")
    colour = printed or named
    if colour is None:
        return error(400, "colour_open", "There’s a wild on top: say which colour was named.")
    if edition.face(card).act == "wild_draw":
        answer, rule = "if", "R10"
    else:
        answer = "yes" if goes_on(card, top, colour, edition) else "no"
        rule = "R9" if edition.face(card).wild else "R5"
    sentence = msgspec.to_builtins(spoken(may_play(card, top, colour, edition), {}))
    return Reply(200, {"answer": answer, "rule": rule, "sentence": sentence})
