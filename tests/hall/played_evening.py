"""An evening that was played: rounds, results and their best races, in a hall's journal."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.demo.light_table import LightTable
from companion.hall.commands import DrawRound, PlanEvening, SetClock, SignUp
from companion.hall.contract import CONTRACT, Ack, Orders, SentResult
from companion.hall.evening import Plan
from companion.hall.keeper import HallKeeper

FIRST = (
    *("Ana", "Ben", "Cleo", "Dov", "Emil", "Finn", "Gus", "Hana", "Ida", "Jon", "Kaya", "Leo"),
    *("Mia", "Noa", "Olaf", "Pia", "Rosa", "Sam", "Tom", "Uma", "Vera", "Wim", "Yann", "Zoe"),
    *("Anneliese", "Bartholomew", "Christopher", "Dominique", "Maximiliane"),
)
LAST = (
    *("Adler", "Baum", "Costa", "Dubois", "Engel", "Fischer", "Garcia", "Huber", "Ito", "Jensen"),
    *("Klein", "Lopez", "Moreau", "Novak", "Okafor", "Pereira", "Quist", "Rossi", "Schulz"),
)
LONGEST = "Wilhelmine Hohenstein-Breitenbach"


def people(count: int, seed: int = 1) -> list[str]:
    """So many different names; one of them is long."""
    every = [f"{first} {last}" for first in FIRST for last in LAST]
    return [LONGEST, *Random(seed).sample(every, count - 1)]


def play_evening(folder: Path, tables: int, rounds: int = 2, playing: int = 0) -> None:
    """Play some rounds at so many tables; in the last one, the first `playing` still play."""
    folder.mkdir(parents=True, exist_ok=True)
    keeper = HallKeeper(folder)
    plan = Plan("Autumn Cup", "swiss", 5, scoring="classic", minutes=30)
    keeper.do(PlanEvening(plan))
    names = people(4 * tables)
    for at in range(0, len(names), 200):
        keeper.do(SignUp(tuple(names[at : at + 200])))
    lights = {number: LightTable(number, 1) for number in range(1, tables + 1)}
    for number in lights:
        keeper.join(number, f"table-{number}", "")
    for number in range(1, rounds + 1):
        keeper.do(DrawRound(number))
        keeper.do(SetClock("start", plan.minutes))
        waits = playing if number == rounds else 0
        keeper.take([one for at in lights if at > waits for one in _played(keeper, lights[at])])
    keeper.close()


def _played(keeper: HallKeeper, light: LightTable) -> list[tuple[int, SentResult]]:
    evening = keeper.evening
    assert evening.round is not None
    seating = next(one for one in evening.round.tables if one.table == light.number)
    names = tuple(evening.name(person) for person in seating.people)
    light.follow(Orders(CONTRACT, seating.since, evening.round.number, names))
    while not light.step():
        pass
    table = evening.tables[light.number]
    sent = light.after(Ack(CONTRACT, table.sequence, table.seal))
    return [(light.number, one) for one in sent]
