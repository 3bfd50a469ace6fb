"""A whole table as its hall sees it: its journal, its screen, and its seats."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import zip_longest

from companion.hall.contract import Orders, Seated, TableState
from companion.hall.table.outbox import Outbox, sent_ruling
from companion.home.people import People
from companion.home.state_messages import latest_ruling
from companion.past.past import Past
from companion.referee.commands import CloseMatch, PersonCommand, SetUp, Sit, Stand
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.view import View

log = logging.getLogger(__name__)


class WholeTable(Outbox):
    """Answers the link on the link's own thread."""

    def __init__(
        self,
        past: Past,
        table: Callable[[], Table],
        view_of: Callable[[Table], View],
        ask: Callable[[PersonCommand], object],
    ) -> None:
        super().__init__(past)
        self._table = table
        self._view_of = view_of
        self._ask = ask
        self._round = 0
        """The round of the hall for which the people here sit down."""

    def state(self, unsent: int) -> TableState:
        """Tell how it stands at the table."""
        table = self._table()
        view = self._view_of(table)
        points: dict[int, int] = {}
        if view.match is not None:
            classic = view.match.scoring == "classic"
            points = {p.player: p.classic if classic else p.alternative for p in view.match.players}
        ruling, names = latest_ruling(table), People(table, named=True).names()
        sent = None if ruling is None else sent_ruling(ruling.rule, ruling.sentence, names)
        return TableState(
            phase=view.phase,
            people=tuple(Seated(one.name[:64], points.get(one.player, 0)) for one in view.seats),
            round=view.round.number if view.round else 0,
            ruling=sent,
            unsent=unsent,
        )

    def follow(self, orders: Orders) -> bool:
        """Let those sit down whom the hall has drawn here; only between two matches."""
        table = self._table()
        if table.game.match is not None:
            wanted, there = names_in(orders, table)
            # Whoever leaves after a match of the round was theirs to play changes nothing in it.
            if self._view_of(table).phase != "won" or (
                orders.round == self._round and wanted <= there
            ):
                return False
        self._round = orders.round
        try:
            for command in commands_for(orders, table):
                self._ask(command)
        except Refusal as refusal:
            log.warning("What the hall asks for is refused: %s", refusal)
        return True

    def time_up(self, orders: Orders) -> bool:
        """End the match that the hall has asked for, unless a round is still dealt."""
        table = self._table()
        match, phase = table.game.match, self._view_of(table).phase
        if match is None or phase not in ("between", "deal") or not match.rounds:
            return False
        wanted, there = names_in(orders, table)
        if not wanted <= there:
            return False
        try:
            self._ask(CloseMatch())
        except Refusal as refusal:
            log.warning("The match cannot be ended in time: %s", refusal)
        return True


def names_in(orders: Orders, table: Table) -> tuple[set[str], set[str]]:
    """Tell whom the hall wants at a table, and who sits there, in one spelling."""
    there = {seat.name.casefold() for seat in table.game.seats}
    return {name.casefold() for name in orders.seats}, there


def commands_for(orders: Orders, table: Table) -> list[PersonCommand]:
    """Say what has to happen so that the table is as the hall asks.

    A newcomer takes the place and the button of a person who goes.
    """
    game = table.game
    wanted, there = names_in(orders, table)
    leaving = [seat for seat in game.seats if seat.name.casefold() not in wanted]
    coming = [name for name in orders.seats if name.casefold() not in there]
    commands: list[PersonCommand] = [CloseMatch()] if game.match is not None else []
    commands += [Stand(seat.number) for seat in leaving]
    for name, seat in zip_longest(coming, leaving[: len(coming)]):
        commands.append(Sit(name) if seat is None else Sit(name, seat.number, seat.button))
    if orders.edition or orders.scoring:
        commands.append(SetUp(edition=orders.edition, scoring=orders.scoring))
    return commands
