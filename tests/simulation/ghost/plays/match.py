"""A whole match of ghosts: from the first seat to the winner, with everything in between."""

from __future__ import annotations

from random import Random

from companion.referee import commands as c
from tests.simulation.ghost.door import BareTable, Door
from tests.simulation.ghost.expects.score import winners
from tests.simulation.ghost.ghost import Disagreement, Ghost
from tests.simulation.ghost.plays import ending, free, mischief, opening, refereed
from tests.simulation.ghost.plays.opening import Plan
from tests.simulation.ghost.plays.racing import ms
from tests.simulation.ghost.temper import WILD, Temper

MOST_ACTS = 2_500
MOST_ROUNDS = 12
"""A match that is not won by then is closed unwon: edits and undo can keep it from an end."""


def play_match(
    seed: int,
    edition: str,
    *,
    plan: Plan | None = None,
    temper: Temper = WILD,
    door: Door | None = None,
    compares: bool = True,
) -> Ghost:
    """Play a match by this seed, comparing after every step, and give its ghost back.

    A test that is about something else spares itself the comparing.

    Raises Disagreement, which tells the seed and the last commands, when the referee is found to
    differ from the ghost's truth.
    """
    plan = plan or opening.any_plan(Random(f"{edition} {seed}"), edition)
    ghost = Ghost(door or BareTable(seed), seed, temper, compares=compares)
    try:
        opening.open_night(ghost, plan)
        play_on_to_the_end(ghost)
    except Disagreement as found:
        raise Disagreement(f"seed {seed}, {plan}\n{found}") from None
    except Exception as broken:
        broken.add_note(f"seed {seed}, {plan}\n  {ghost.story()}")
        raise
    return ghost


def play_on_to_the_end(ghost: Ghost) -> None:
    """Act until the match is won and closed."""
    for _ in range(MOST_ACTS):
        if ghost.truth.match is None:
            return
        if not mischief.strike(ghost):
            act(ghost)
    ghost.say(c.CloseMatch())


def act(ghost: Ghost) -> None:
    """Do the next thing, whatever it is."""
    round_ = ghost.truth.round
    if round_ is None:
        _between(ghost)
    elif round_.out is not None:
        ending.act(ghost)
    elif round_.way == "refereed":
        refereed.act(ghost)
    else:
        free.act(ghost)


def _between(ghost: Ghost) -> None:
    match = ghost.match
    if ghost.chance(ghost.temper.nonsense * 6):
        mischief.talk_nonsense(ghost)
    if match.scored and ghost.chance(ghost.temper.wander):
        _wander(ghost)
    elif len(match.scored) >= MOST_ROUNDS or (match.playing_on and ghost.chance(0.5)):
        ghost.say(c.CloseMatch())
    elif winners(match) and not match.playing_on:
        _after_the_win(ghost)
    elif match.dealer is None:
        opening.find_dealer(ghost)
    else:
        if ghost.chance(ghost.temper.switch):
            ghost.say(c.SwitchWay("free" if match.way == "refereed" else "refereed"))
        ghost.wait(ms(ghost, 500, 5_000))
        ghost.say(c.Deal())


def _after_the_win(ghost: Ghost) -> None:
    if ghost.chance(ghost.temper.nonsense * 6):
        ghost.say(c.Deal())
    if ghost.chance(0.1):
        ghost.say(c.PlayOn())
    elif ghost.chance(ghost.temper.nonsense):
        ghost.say(c.Rematch())
    else:
        ghost.say(c.CloseMatch())


def _wander(ghost: Ghost) -> None:
    """Between rounds people come and go, and look at the sheet."""
    truth, luck = ghost.truth, ghost.luck
    seat = luck.choice(truth.ordered())
    choice = luck.random()
    if choice < 0.2 and len(truth.seats) < 10:
        opening.sit_down(ghost)
    elif choice < 0.35 and len(truth.seats) > 2:
        ghost.say(c.Stand(seat))
    elif choice < 0.5:
        ghost.say(c.Swap(seat, luck.randint(1, 10)))
    elif choice < 0.65:
        ghost.say(c.Rename(seat, opening.fresh_name(ghost)))
    elif choice < 0.75:
        ghost.say(c.AssignButton(seat, luck.randint(1, 12) if ghost.chance(0.7) else None))
    elif choice < 0.85:
        ghost.say(c.ChooseDealer(seat))
    elif ghost.chance(ghost.temper.small):
        opening.give_head_start(ghost, seat)
    else:
        ending.edit_old_round(ghost)
