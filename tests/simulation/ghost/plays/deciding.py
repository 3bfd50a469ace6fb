"""What ghosts do about a race once it is run: a slap-off, a pick, an answer, or a quarrel."""

from __future__ import annotations

from companion.referee import commands as c
from tests.simulation.ghost.expects import races
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays.racing import TIME_LIMIT, Slaps, all_slap, clear, judge, ms, slap
from tests.simulation.ghost.truth import MILLISECOND, SECOND, Raced


def tend(ghost: Ghost, race: Raced) -> None:
    """Do something about a race that nobody could decide."""
    assert race.state == "undecided", "a race that is running is run to its end"
    if ghost.chance(ghost.temper.nonsense * 2):
        ghost.say(c.PickLast((race.layer,) if ghost.chance(0.5) else ()))
    choice = ghost.luck.random()
    if choice < 0.1:
        ghost.say(c.CancelRace())
        ghost.unsettle()
    elif choice < 0.2:
        _rerun(ghost)
    elif choice < 0.4:
        several = ghost.chance(0.15)
        seats = race.last if several else (ghost.luck.choice(race.last),)
        ghost.say(c.PickLast(seats))
    elif race.mute:
        _tell_who_was_last(ghost, race)
    else:
        _slap_off(ghost)


def _tell_who_was_last(ghost: Ghost, race: Raced) -> None:
    """Answer for those whose buttons nobody can believe."""
    number = next(n for n, kind in ghost.oracle.questions.items() if kind == "who_was_last")
    others = set(race.racers) - set(race.mute)
    if others and ghost.chance(0.5):
        with ghost.busy_hands():
            ghost.say(c.Answer(number, "others"))
            ghost.wait(2 * SECOND)
            races.excuse(ghost.truth)
    else:
        with ghost.busy_hands():
            seat = ghost.luck.choice(race.mute)
            ghost.say(c.Answer(number, str(seat)))
            races.lose(ghost.truth, race, (seat,))


def _slap_off(ghost: Ghost) -> None:
    """Those who tied slap at a light; several who cannot wait for it get another one."""
    ghost.hush(2 * SECOND)
    with ghost.busy_hands():
        ghost.say(c.SlapOff())
        while True:
            race = ghost.round.race
            assert race is not None
            assert race.light is not None
            slaps = _slaps_at_light(ghost, race)
            early = [seat for seat, slap in slaps.items() if slap.at < race.light.at]
            if len(early) < 2:
                break
            races.light_again(ghost.truth, tuple(sorted(early)), ghost.light_at())
        races.slapped_off(ghost.truth, slaps)


def _slaps_at_light(ghost: Ghost, race: Raced) -> Slaps:
    """Let those in a slap-off slap, and wait until that is ruled."""
    light = race.light
    assert light is not None
    hasty = [seat for seat in light.seats if ghost.chance(0.08)]
    if hasty:
        # Whoever sees somebody start too early does not slap any more.
        at = ghost.now() + ms(ghost, 100, 1_000)
        slaps = {seat: slap(ghost, seat, at + ms(ghost, 0, 100)) for seat in hasty}
        ghost.wait(light.at - ghost.now() + TIME_LIMIT if len(hasty) == 1 else 1_700 * MILLISECOND)
        return slaps
    slaps = {
        seat: slap(ghost, seat, light.at + ms(ghost, 150, 600))
        for seat in light.seats
        if not ghost.truth.can_press(seat) or ghost.chance(0.93)
    }
    missing = len(slaps) < len(light.seats)
    ghost.wait(light.at - ghost.now() + (TIME_LIMIT if missing else 1_500 * MILLISECOND))
    return slaps


def _rerun(ghost: Ghost) -> None:
    """Run a race again from now on."""
    ghost.hush(TIME_LIMIT)
    ghost.wait(5 * SECOND)
    with ghost.busy_hands():
        ghost.say(c.RerunRace())
        race = ghost.round.race
        assert race is not None
        judge(ghost, all_slap(ghost, race.layer, late=True))


def quarrel(ghost: Ghost) -> None:
    """Somebody says that it was no race, or another one, or wants to have it run again."""
    race = ghost.round.race
    if race is None or race.state == "undecided" or not ghost.chance(ghost.temper.quarrel * 4):
        return
    ghost.wait(ms(ghost, 500, 3_000))
    choice = ghost.luck.random()
    if choice < 0.2:
        ghost.say(c.CancelRace())
        ghost.unsettle()
    elif choice < 0.4:
        _rerun(ghost)
    elif len(race.slaps) > 2:
        _change_layer(ghost, race)


def _change_layer(ghost: Ghost, race: Raced) -> None:
    """Say that somebody else laid it, where the other hands are a race all the same."""
    other = ghost.luck.choice(list(race.slaps))
    rest = [slap.at for seat, slap in race.slaps.items() if seat != other]
    stays = ghost.match.house.hands_stay_down
    if stays or race.light is not None or not clear(rest):
        return
    with ghost.busy_hands():
        ghost.say(c.ChangeLayer(other))
        judge(ghost, race.slaps)
    if ghost.chance(0.5) and ghost.round.race is not None:
        with ghost.busy_hands():
            ghost.say(c.ChangeLayer(race.layer))
            judge(ghost, race.slaps)
