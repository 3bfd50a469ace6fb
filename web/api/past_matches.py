"""Past nights: the matches that are asked for, one with its story, and all of them to take away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from flask import Blueprint, Response, request

from companion.journal.match_list import MatchRecord
from companion.past.briefs import brief
from companion.past.match_filter import chosen
from companion.past.past import Past
from web.api.api import sent
from web.api.command_door import Reply, error
from web.api.match_files import matches_csv, matches_json, races_csv
from web.api.match_filter import read_wanted


def nights(past: Past) -> Blueprint:
    """The addresses of what was played."""
    doors = Blueprint("nights", __name__)

    @doors.get("/api/matches")
    def matches() -> Response:
        wanted = read_wanted(request.args, also=("brief",))
        if isinstance(wanted, Reply):
            return sent(wanted)
        if request.args.get("brief", "1") != "1":
            return sent(error(400, "wrong_value", "Say brief=1, or leave it out."))
        found = chosen(past.matches(), wanted)
        told = [brief(record) for record in found] if "brief" in request.args else found
        return sent(Reply(200, {"matches": msgspec.to_builtins(told)}))

    @doors.get("/api/matches/<int:number>")
    def match(number: int) -> Response:
        record = past.match(number)
        if record is None:
            return sent(_no_such_match(number))
        return sent(Reply(200, msgspec.to_builtins(record, str_keys=True)))

    @doors.get("/api/matches/<int:number>/story")
    def story(number: int) -> Response:
        told = past.story(number)
        if told is None:
            return sent(_no_such_match(number))
        return sent(Reply(200, msgspec.to_builtins(told, str_keys=True)))

    @doors.get("/api/matches/<int:number>.csv")
    def match_as_csv(number: int) -> Response:
        record = past.match(number)
        if record is None:
            return sent(_no_such_match(number))
        return _file(f"match-{number}.csv", matches_csv([record]))

    @doors.get("/api/matches.csv")
    def scores() -> Response:
        return taken("matches.csv", matches_csv)

    @doors.get("/api/matches.json")
    def everything() -> Response:
        return taken(
            "matches.json", lambda records: matches_json(records, past.moments(), past.story)
        )

    @doors.get("/api/matches/races.csv")
    def races() -> Response:
        return taken("races.csv", lambda records: races_csv(records, past.moments()))

    def taken(name: str, written: Callable[[Iterator[MatchRecord]], Iterator[str]]) -> Response:
        """Send what is asked for match by match, so that a long past fits through a small door."""
        wanted = read_wanted(request.args)
        if isinstance(wanted, Reply):
            return sent(wanted)
        records = (record for record in past.each_match() if wanted.has(record))
        return _file(name, written(records))

    return doors


def _file(name: str, text: Iterable[str]) -> Response:
    kind = "text/csv" if name.endswith(".csv") else "application/json"
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _no_such_match(number: int) -> Reply:
    said = f"There is no match {number} in this table's journal."
    return error(404, "no_such_match", said, number=number)
