"""Past nights: the matches that are asked for, one with its story, and all of them to take away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from flask import Blueprint, Response, request

from companion.past.briefs import Brief
from companion.past.match_files import matches_csv, matches_json, races_csv
from companion.past.past import Past
from companion.past.records import MatchRecord
from web.api.api import sent
from web.api.command_door import Reply, error
from web.api.past.in_words import in_words
from web.api.past.match_filter import read_wanted


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
        briefs = past.briefs(wanted)
        if "brief" in request.args:
            return _streamed(_listed(briefs))
        records = (past.match(brief.number) for brief in briefs)
        return _streamed(_listed(record for record in records if record is not None))

    @doors.get("/api/matches/<int:number>")
    def match(number: int) -> Response:
        record = past.match(number)
        if record is None:
            return sent(_no_such_match(number))
        return sent(Reply(200, msgspec.to_builtins(record, str_keys=True)))

    @doors.get("/api/matches/<int:number>/story")
    def story(number: int) -> Response:
        timeline = past.story(number)
        if timeline is None:
            return sent(_no_such_match(number))
        return sent(Reply(200, in_words(timeline, past)))

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
        return taken("matches.json", lambda records: matches_json(records, past))

    @doors.get("/api/matches/races.csv")
    def races() -> Response:
        return taken("races.csv", lambda records: races_csv(records, past.highlights))

    def taken(name: str, written: Callable[[Iterator[MatchRecord]], Iterator[str]]) -> Response:
        """Send what is asked for match by match, so that a long past fits through a small door."""
        wanted = read_wanted(request.args)
        if isinstance(wanted, Reply):
            return sent(wanted)
        return _file(name, written(past.each_match(wanted)))

    return doors


def _listed(matches: Iterable[Brief | MatchRecord]) -> Iterator[bytes]:
    """Write a list piece by piece, so that a long past needs no more room than a match."""
    before = b'{"matches":['
    for match in matches:
        yield before + msgspec.json.encode(match)
        before = b","
    yield b"]}" if before == b"," else before + b"]}"


def _streamed(pieces: Iterator[bytes]) -> Response:
    response = Response(pieces, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _file(name: str, text: Iterable[str]) -> Response:
    kind = "text/csv" if name.endswith(".csv") else "application/json"
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _no_such_match(number: int) -> Reply:
    sentence = f"There is no match {number} in this table's journal."
    return error(404, "no_such_match", sentence, number=number)
