"""What can be downloaded of an evening: the standing, the seats, or all of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.hall.evening import Evening
from companion.hall.standing import standing
from companion.past.match_files import MARK, as_text
from web.api.api import sent
from web.api.command_door import Reply
from web.hall.shown import evening_shown, results_shown


def downloads(current: Callable[[], Evening]) -> Blueprint:
    """Answer for the files of the evening as it is now."""
    routes = Blueprint("downloads", __name__)

    @routes.get("/api/evening.json")
    def whole_evening() -> Response:
        """Give everything away as JSON, what a draw was made from too, and no code of a door."""
        evening = current()
        whole = msgspec.to_builtins(evening_shown(evening), str_keys=True)
        whole["apart"] = sorted(evening.apart)
        whole["results"] = msgspec.to_builtins(results_shown(evening))
        answer = sent(Reply(200, whole))
        answer.headers["Content-Disposition"] = "attachment; filename=evening.json"
        return answer

    @routes.get("/api/standing.csv")
    def standing_file() -> Response:
        """Give the standing for a spreadsheet."""
        evening = current()
        head = ["rank", "name", "club", "points", "scored", "head_to_head", "opponents", "reached"]
        rows = (
            [
                line.rank,
                evening.name(line.person),
                evening.people[line.person].club,
                *(line.points, line.scored, line.head_to_head, line.opponents, line.reached),
            ]
            for line in standing(evening)
        )
        return _spreadsheet("standing.csv", [head, *rows])

    @routes.get("/api/seats.csv")
    def seats_file() -> Response:
        """Give the seats of all rounds for a spreadsheet; people who sit out have none."""
        evening = current()
        rows = [
            [drawn.number, seating.table, at + 1, evening.name(person)]
            for drawn in evening.rounds
            for seating in drawn.tables
            for at, person in enumerate(seating.people)
        ]
        rows += [
            [drawn.number, "", "", evening.name(person)]
            for drawn in evening.rounds
            for person in drawn.byes
        ]
        return _spreadsheet("seats.csv", [["round", "table", "seat", "name"], *rows])

    return routes


def _spreadsheet(name: str, rows: list[list[Any]]) -> Response:
    written = io.StringIO()
    csv.writer(written).writerows([_cell(value) for value in row] for row in rows)
    answer = Response(MARK + written.getvalue(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _cell(value: Any) -> Any:
    """A word, as no formula, or a figure."""
    return as_text(value) if isinstance(value, str) else value
