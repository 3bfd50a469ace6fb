"""Steps forwards and back, the opening of the table, and what was forgotten."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.presses import Gap, Press, on_screen
from companion.referee.table import Game, Race, Step, Table

GAPS_KEPT = 8


def fold_history(table: Table, event: e.HistoryEvent) -> Table:
    """Write down a step, its undoing, that the service has started, or where something is gone."""
    match event:
        case e.StepTaken(label):
            return replace(table, past=Step(label, table.game, table.past), future=None)
        case e.Undone():
            step = table.past
            assert step is not None
            return replace(
                table,
                game=_with_live_race(step.game, table.game),
                past=step.below,
                future=Step(step.label, table.game, table.future),
            )
        case e.Redone():
            step = table.future
            assert step is not None
            return replace(
                table,
                game=step.game,
                past=Step(step.label, table.game, table.past),
                future=step.below,
            )
        case e.TableOpened(editions, timing, at, gap_since):
            table = replace(table, editions=editions, timing=timing, presses=(), aside={})
            return table if gap_since is None else add_gap(table, Gap(gap_since, at))
        case e.Forgotten():
            return table
        case e.MatchForgotten():
            return _without_match(table, event)
        case _:
            assert_never(event)


def _without_match(table: Table, event: e.MatchForgotten) -> Table:
    """Go on as the match left the table; nobody can go back into it, or past it."""
    return Table(
        version=table.version,
        game=Game(event.seats, event.setup, None, event.players, event.match),
        gaps=event.gaps,
        aside=event.aside,
        awaiting_button=event.awaiting_button,
        editions=event.editions,
        timing=event.timing,
        forgotten=(*table.forgotten, event.match),
    )


def add_gap(table: Table, gap: Gap) -> Table:
    """Note that presses may have gone unseen, also in a race that is on."""
    table = replace(table, gaps=(*table.gaps, gap)[-GAPS_KEPT:])
    race = race_on(table.game)
    if race is None or gap.until < race.since:
        return table
    return replace(table, game=with_race(table.game, replace(race, gaps=(*race.gaps, gap))))


def race_on(game: Game) -> Race | None:
    """Give the race that still takes slaps."""
    if game.match is None or game.match.round is None:
        return None
    race = game.match.round.race
    return race if race is not None and race.state in ("running", "slap_off") else None


def mend(table: Table, seat: int) -> Table:
    """Let a seat race again with a sound button; what the broken one did is forgotten."""
    race = race_on(table.game)
    if race is None or seat not in race.aside:
        return table

    def sound(presses: tuple[Press, ...]) -> tuple[Press, ...]:
        return tuple(press for press in presses if press.seat != seat or on_screen(press))

    light = race.slap_off
    mended = replace(
        race,
        aside=tuple(number for number in race.aside if number != seat),
        presses=sound(race.presses),
        slap_off=None if light is None else replace(light, presses=sound(light.presses)),
    )
    return replace(table, game=with_race(table.game, mended))


def with_race(game: Game, race: Race) -> Game:
    """Put a changed race back into the game."""
    assert game.match is not None
    assert game.match.round is not None
    round_ = replace(game.match.round, race=race)
    return replace(game, match=replace(game.match, round=round_))


def _with_live_race(before: Game, now: Game) -> Game:
    """Undoing a tap must not turn hands back in time: slaps of a race that was on stay slapped.

    Where that race has been ruled since, it comes back undecided, for the referee to settle.
    """
    race = race_on(before)
    if race is None:
        return before
    live = race_on(now)
    if live is not None and live.declared_at == race.declared_at:
        hands = replace(
            race, presses=live.presses, gaps=live.gaps, aside=live.aside, slap_off=live.slap_off
        )
        return with_race(before, hands)
    tied = race.tied or race.racers
    return with_race(before, replace(race, state="undecided", tied=tied, slap_off=None))
