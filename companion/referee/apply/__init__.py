"""Apply an event to the table: never refuses, decides nothing, only writes down what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.evidence import fold_press
from companion.referee.apply.history import fold_history
from companion.referee.apply.parts import the_match, the_round
from companion.referee.apply.reading import fold_reading
from companion.referee.apply.rulings import fold_ruling
from companion.referee.apply.seating import fold_seating
from companion.referee.apply.turns import fold_round, fold_turn
from companion.referee.model.table import Match, Round, Table


def apply(table: Table, event: e.Event) -> Table:
    """Give the table as it is after the event, one version on."""
    kind = type(event)
    if (in_round := IN_ROUND.get(kind)) is not None:
        match = the_match(table)
        match = replace(match, round=in_round(the_round(match), event))
    elif (in_match := IN_MATCH.get(kind)) is not None:
        match = in_match(the_match(table), event)
    else:
        return replace(FOLDS[kind](table, event), version=table.version + 1)
    return replace(table, game=replace(table.game, match=match), version=table.version + 1)


# Looked up by type: asking event by event which of six long unions it is in took a third of apply.
IN_ROUND: Mapping[type, Callable[[Round, Any], Round]] = {
    **dict.fromkeys(get_args(e.TurnEvent), fold_turn),
    **dict.fromkeys(get_args(e.ReadingEvent), fold_reading),
}
"""What changes nothing but the round."""

IN_MATCH: Mapping[type, Callable[[Match, Any], Match]] = dict.fromkeys(
    get_args(e.RulingEvent), fold_ruling
)
"""What changes the match, and often its round."""

FOLDS: Mapping[type, Callable[[Table, Any], Table]] = {
    **dict.fromkeys(get_args(e.PressEvent), fold_press),
    **dict.fromkeys(get_args(e.RoundEvent), fold_round),
    **dict.fromkeys(get_args(e.SeatingEvent), fold_seating),
    **dict.fromkeys(get_args(e.HistoryEvent), fold_history),
}
"""What may change anything; its version is counted by who applies it."""
