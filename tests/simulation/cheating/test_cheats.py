"""No trick with a button is better than a quick hand, and none makes an honest hand last.

Every cheat runs in the same worlds as an honest hand of the same speed. `CHEAT_RACES` says how many
races each cheat runs alone, and as many in company of a second one.
"""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from companion.referee.model.presses import Timing
from tests.simulation.cheating.cheats import ANTICIPATING, CHEATS, Cheat, early, mash
from tests.simulation.cheating.last_card import caught_calling, caught_honest
from tests.simulation.cheating.pairs import Pairs, tried

RACES = int(os.environ.get("CHEAT_RACES", "40"))
BUSY_RACES = int(os.environ.get("CHEAT_RACES", "20"))
"""Of those who press all the time, which takes longest to read."""
WINDOWS = max(25, RACES // 4)


def alone_and_in_company(cheat: Cheat) -> Pairs:
    """Run one cheat through all its worlds, and print what came of it."""
    busy = cheat.period is not None and cheat.period <= 1
    both = Pairs()
    for company in (False, True):
        both.add(tried(cheat, company, range(BUSY_RACES if busy else RACES)))
    print(f"figures: {both.line(cheat.name)}")
    return both


@pytest.mark.parametrize("kind", CHEATS)
def test_cheating_does_not_pay(kind: str) -> None:
    together = Pairs()
    paying: list[str] = []
    for cheat in CHEATS[kind]:
        pairs = alone_and_in_company(cheat)
        together.add(pairs)
        if pairs.pays or pairs.harms:
            paying.append(pairs.line(cheat.name))
    if together.pays or together.harms:
        paying.append(together.line(f"all of {kind}"))
    assert paying == []
    assert together.open <= together.races // 5


@pytest.mark.parametrize("cheat", ANTICIPATING, ids=lambda cheat: cheat.name)
def test_anticipating_is_measured(cheat: Cheat) -> None:
    assert alone_and_in_company(cheat).races


@pytest.mark.parametrize("way", ["free", "refereed"])
@pytest.mark.parametrize("period", [0.6, 1.0, 2.5])
def test_calling_all_the_time_saves_from_no_catch(way: str, period: float) -> None:
    free = way == "free"
    honest = sum(caught_honest(seed, free=free) for seed in range(WINDOWS))
    calling = sum(caught_calling(seed, period, free=free) for seed in range(WINDOWS))
    print(
        f"figures: calls UNO every {period:g} s, {way}: caught {calling} of {WINDOWS} times, "
        f"honest {honest}"
    )
    assert calling >= honest


def test_a_table_that_forgives_hammering_is_found_out() -> None:
    """Mashing still does not pay there, but what it costs now is the rule's doing."""
    cheat, worlds = mash(0.3, slaps=True), range(60)
    forgiving = tried(cheat, False, worlds, replace(Timing(), hammer_span=0))
    assert 3 * forgiving.cheat_last < tried(cheat, False, worlds).cheat_last


def test_a_table_that_takes_early_hands_for_quick_ones_is_found_out() -> None:
    trusting = replace(Timing(), stray_lead=Timing().bunch)
    found = Pairs()
    for lead in (0.35, 0.5):
        found.add(tried(early(lead, slaps=False), False, range(100), trusting))
    assert found.pays
