"""What hands do: a Street Race with its slap-off, and the press for UNO or against it."""

from __future__ import annotations

from companion.demo.people import DemoPeople
from companion.demo.steps import Steps, reactions
from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Race, SlapOffLight, Table
from companion.referee.rules.race import open_race

TOO_LATE = 12 * SECOND
"""By then a racer who has not slapped is last."""


def race(people: DemoPeople, table: Table) -> Steps:
    """R12. Slap until the race is decided: all who race, then those who tied, at a light."""
    open_ = _open(table)
    if open_ is not None and open_.state == "running":
        table = yield from _slap(people, table, open_)
    while (open_ := _open(table)) is not None:
        match open_:
            case Race(state="undecided") if people.chance(people.habits.pick):
                table = yield from people.say(c.PickLast((people.random.choice(open_.tied),)))
            case Race(state="undecided"):
                table = yield from people.say(c.SlapOff())
            case Race(slap_off=SlapOffLight() as light):
                table = yield from _slap_at_light(people, table, light)
            case _:
                table = yield from people.say(c.PassTime(), after=TOO_LATE)
    return table


def _open(table: Table) -> Race | None:
    match = table.game.match
    return open_race(match.round) if match is not None and match.round is not None else None


def _slap(people: DemoPeople, table: Table, race: Race) -> Steps:
    habits = people.habits
    racers = [seat for seat in race.racers if not people.chance(habits.stay_away)]
    pushes = reactions(people.random, racers, people.now)
    if len(pushes) > 1 and people.chance(habits.tie):
        pushes[-1] = pushes[-1][0], pushes[-2][1] + people.random.randrange(MILLISECOND // 2)
    table = yield from people.press(table, pushes)
    missing = len(pushes) < len(race.racers)
    return (yield from people.say(c.PassTime(), after=TOO_LATE if missing else 2 * SECOND))


def _slap_at_light(people: DemoPeople, table: Table, light: SlapOffLight) -> Steps:
    """Those who tied slap when the light comes; after one was too early, the others do not."""
    dark = light.light_at - light.started_at
    if people.chance(people.habits.jump_the_light):
        early = people.now + people.in_between(300, 1_000)
        table = yield from people.press(table, [(people.random.choice(light.seats), early)])
        return (yield from people.say(c.PassTime(), after=dark + TOO_LATE))
    pushes = reactions(people.random, light.seats, people.now + dark)
    table = yield from people.press(table, pushes)
    return (yield from people.say(c.PassTime(), after=2 * SECOND))


def last_card_but_one(people: DemoPeople, table: Table, seat: int, others: list[int]) -> Steps:
    """R13. The holder taps for UNO or forgets it; another player may tap twice to catch that."""
    pushes = []
    if not people.chance(people.habits.forget_uno):
        pushes.append((seat, people.now + people.in_between(300, 1_200)))
    if people.chance(people.habits.catch):
        catcher = people.random.choice(others)
        at = people.now + people.in_between(500, 1_500)
        pushes += [(catcher, at), (catcher, at + 500 * MILLISECOND)]
    table = yield from people.press(table, pushes)
    return (yield from people.say(c.PassTime(), after=3 * SECOND))
