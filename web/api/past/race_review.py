"""The doors of the second look: a past race, and what other rules would have made of it."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Struct, structs

from companion.past.briefs import MatchFilter
from companion.past.past import Past
from companion.past.review.what_if_query import MOST_MATCHES, WhatIfBusy, WhatIfQueries
from companion.past.review.what_if_settings import WrongWish, read_wish
from web.api.api import not_json, read, sent
from web.api.command_door import Reply, error
from web.api.past.in_words import in_words
from web.api.past.match_filter import read_wanted
from web.transport.limits import Allowance, network

AT_ONCE, A_SECOND = 120.0, 4.0
"""What one address may ask for; a race costs one, and so does each match that is judged again."""


class ReviewScope(Struct, frozen=True):
    """What is to be judged again: one race, one round, a match, or all that the query chooses."""

    match: int | None = None
    ruling: int | None = None
    round: int | None = None


def second_looks(past: Past) -> Blueprint:
    """The addresses that look at past races again; nothing here writes anything."""
    doors = Blueprint("second_look", __name__)
    asking = WhatIfQueries(past.cases)
    allowance = Allowance(AT_ONCE, A_SECOND)

    @doors.get("/api/matches/<int:number>/races/<int:ruling>")
    def race(number: int, ruling: int) -> Response:
        if past.match(number) is None:
            return sent(_no_such_match(number))
        look = past.race(number, ruling)
        if look is None:
            return sent(_no_such_race(number, ruling))
        return sent(Reply(200, in_words(look, past)))

    @doors.post("/api/what-if")
    def what_if() -> Response:
        wish_json = None if (refused := not_json()) else read()
        wanted = read_wanted(request.args)
        if refused or isinstance(wanted, Reply):
            return sent(refused or wanted)  # type: ignore[arg-type]
        try:
            return sent(answer(wish_json, wanted))
        except WrongWish as wrong:
            return sent(error(400, "wrong_value", str(wrong)))
        except WhatIfBusy:
            sentence = "Somebody else is being answered right now; ask again in a moment."
            return sent(error(429, "busy_judging", sentence, 2))

    def answer(said: Any, wanted: MatchFilter) -> Reply:
        place, wish = _read_place(said)
        numbers: tuple[int, ...] = (place.match,) if place.match is not None else ()
        if place.match is None:
            numbers = tuple(one.number for one in past.briefs(wanted)[:MOST_MATCHES])
        elif past.match(place.match) is None:
            return _no_such_match(place.match)
        cost = 1.0 if place.ruling is not None else 1.0 + len(numbers)
        wait = allowance.take(network(request.remote_addr or ""), cost)
        if wait:
            seconds = math.ceil(wait)
            sentence = f"That was asked too often. Try again in {seconds} s."
            return error(429, "asked_too_often", sentence, seconds, seconds=seconds)
        if place.match is not None and place.ruling is not None:
            found = asking.race(place.match, place.ruling, wish)
            if found is None:
                return _no_such_race(place.match, place.ruling)
            return Reply(200, in_words(found, past))
        return Reply(200, in_words(asking.matches(numbers, wish, place.round), past))

    return doors


def _read_place(said: Any) -> tuple[ReviewScope, Any]:
    if not isinstance(said, dict):
        raise WrongWish("Say by which rules, as a JSON object.")
    names = {field.name for field in structs.fields(ReviewScope)}
    try:
        place = msgspec.convert({k: v for k, v in said.items() if k in names}, ReviewScope)
    except msgspec.ValidationError as wrong:
        raise WrongWish("A match, a ruling and a round are numbers.") from wrong
    if place.match is None and (place.ruling is not None or place.round is not None):
        raise WrongWish("Say of which match.")
    return place, read_wish({k: v for k, v in said.items() if k not in names})


def _no_such_match(number: int) -> Reply:
    sentence = f"There is no match {number} in this table's journal."
    return error(404, "no_such_match", sentence, number=number)


def _no_such_race(number: int, ruling: int) -> Reply:
    sentence = f"Ruling {ruling} of match {number} is not a race."
    return error(404, "no_such_race", sentence, number=number, ruling=ruling)
