"""What goes wrong at a table: nonsense, undo, broken buttons, power cuts, quarrels."""

from __future__ import annotations

from collections.abc import Callable

from companion.referee import commands as c
from companion.referee.model.cards import Card
from tests.simulation.ghost.expects.calls import has_called
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays import racing, uno
from tests.simulation.ghost.plays.racing import FORGOTTEN, TIME_LIMIT, ms
from tests.simulation.ghost.sheet import COLOURS

FAULTS = ("stuck", "chatter", "noise", "unreachable")


def strike(ghost: Ghost) -> bool:
    """Let something go wrong, perhaps; tell whether it did."""
    temper = ghost.temper
    for chance, act in (
        (temper.nonsense, talk_nonsense),
        (temper.undo, go_back_and_forth),
        (temper.fidget, fidget),
        (temper.quarrel, quarrel),
        (temper.trouble, break_a_button),
        (temper.quarrel / 8, walk_out),
        (temper.restart, Ghost.restart),
    ):
        if ghost.chance(chance):
            act(ghost)
            return True
    return False


def go_back_and_forth(ghost: Ghost) -> None:
    """Take a few steps back, and perhaps some of them forth again; hands keep off meanwhile."""
    ghost.hush(FORGOTTEN)
    done = 0
    for _ in range(ghost.luck.randint(1, 4)):
        if done and ghost.offers_a_press():
            # The hands of a race that was just taken back are offered one by one: leave them.
            break
        done += ghost.say(c.Undo()) is None
    for _ in range(ghost.luck.choice((0, 0, done, done))):
        ghost.say(c.Redo())
    if ghost.truth.match is None:
        ghost.say(c.Redo() if ghost.chance(0.5) else c.StartMatch())
    ghost.unsettle()


def fidget(ghost: Ghost) -> None:
    """Touch buttons that nobody had to touch, or catch somebody who is not to be caught."""
    round_ = ghost.truth.round
    if round_ is None or round_.out is not None:
        return
    if ghost.chance(0.15):
        seat, by = ghost.luck.sample(round_.seats, 2)
        uno.catch_on_the_tablet(ghost, seat, by)
    elif round_.way == "free" and ghost.chance(0.2):
        racing.false_alarm(ghost)
    else:
        uno.fidget(ghost)


def break_a_button(ghost: Ghost) -> None:
    """A button breaks, is mended or replaced, or pushes are lost, while no hand is on one."""
    ghost.hush(TIME_LIMIT)
    buttons = [s.button for s in ghost.truth.seats.values() if s.button is not None]
    if not buttons:
        return
    button, at = ghost.luck.choice(buttons), ghost.now()
    broken = [*ghost.truth.night.aside]
    choice = ghost.luck.random()
    if broken and choice < 0.6:
        ghost.say(c.PutBack(ghost.luck.choice(broken), at))
    elif choice < 0.7:
        fault = ghost.luck.choice(FAULTS)
        ghost.say(c.SetAside(button, fault, at))  # type: ignore[arg-type]
    elif choice < 0.85:
        ghost.say(c.MissPresses((button,), at - ms(ghost, 10, 900), at))
        ghost.unsettle()
    else:
        spare = max(buttons) + 1
        if spare <= 32 and spare not in broken:
            ghost.say(c.PushButton(spare, at, 2_000))
            ghost.say(c.Release(spare, at + 50_000_000, at))


def walk_out(ghost: Ghost) -> None:
    """Somebody has had enough of a round in play, or everybody has."""
    ghost.hush(FORGOTTEN)
    round_ = ghost.truth.round
    if round_ is None or round_.out is not None or not round_.felt.discard:
        return
    if not all(round_.felt.hands.values()):
        return
    if ghost.chance(0.2):
        ghost.say(c.AbandonRound())
    else:
        seat = ghost.luck.choice(round_.seats)
        ghost.say(c.Stand(seat, "counted" if ghost.chance(0.5) else "under"))
    ghost.unsettle()


def quarrel(ghost: Ghost) -> None:
    """The referee sets something right that was right, or lets somebody off."""
    round_ = ghost.truth.round
    handles = ghost.oracle.handles
    if round_ is None:
        return
    seat = ghost.luck.choice(round_.seats)
    choice = ghost.luck.random()
    if handles and choice < 0.3:
        ghost.say(c.Forgive(ghost.luck.choice(handles)[0]))
    elif handles and choice < 0.6:
        seats = (seat,) if ghost.chance(0.7) else ()
        draws = ghost.luck.randint(1, 4) if seats or ghost.chance(0.2) else 0
        ghost.say(c.Overrule(ghost.luck.choice(handles)[1], seats, draws))
    elif choice < 0.75:
        ghost.say(c.Drawn(ghost.luck.choice(handles)[0] if handles else 4_711))
    elif choice < 0.85:
        _withdraw(ghost, seat)
    elif round_.way == "refereed" and round_.out is None:
        shade = ghost.luck.choice(COLOURS)
        ghost.say(c.Correct(turn=seat, direction=ghost.luck.choice((1, -1)), colour=shade))


def _withdraw(ghost: Ghost, seat: int) -> None:
    """Say that somebody has not called, who may have; but not of a call that saved its caller."""
    round_ = ghost.round
    known = {s: has_called(round_, s, ghost.now()) for s in round_.seats if s not in round_.saved}
    seat = next((s for s, called in known.items() if called), seat)
    if known.get(seat) is not None:
        ghost.say(c.WithdrawCall(seat))


def talk_nonsense(ghost: Ghost) -> None:
    """Ask for something that the ghost knows to be impossible now."""
    for _ in range(5):
        command = ghost.luck.choice(NONSENSE)(ghost)
        try:
            refused = ghost.foresee(command)
        except AssertionError:
            continue
        if refused is not None:
            ghost.say(command)
            return


def _seat(ghost: Ghost) -> int:
    return ghost.luck.randint(1, 10)


def _card(ghost: Ghost) -> Card:
    known = list(ghost.truth.sheet.copies)
    return Card(ghost.luck.choice([*known, "purple-5", "red", "", "street-race", "red-10"]))


NONSENSE: tuple[Callable[[Ghost], c.Command], ...] = (
    lambda ghost: c.Play(_card(ghost), seat=_seat(ghost)),
    lambda ghost: c.Play(_card(ghost)),
    lambda ghost: c.Draw(_seat(ghost)),
    lambda ghost: c.TurnUp(_card(ghost)),
    lambda _: c.NameColour("red"),
    lambda ghost: c.Challenge(ghost.chance(0.5)),
    lambda _: c.Deal(),
    lambda _: c.StartMatch(),
    lambda _: c.Rematch(),
    lambda _: c.ScoreRound(),
    lambda _: c.PlayOn(),
    lambda _: c.Redo(),
    lambda _: c.SlapOff(),
    lambda ghost: c.PickLast(tuple({_seat(ghost) for _ in range(ghost.luck.randint(0, 2))})),
    lambda _: c.CancelRace(),
    lambda _: c.RerunRace(),
    lambda ghost: c.ChangeLayer(_seat(ghost)),
    lambda ghost: c.DeclareRace(_seat(ghost)),
    lambda ghost: c.Catch(_seat(ghost), _seat(ghost)),
    lambda ghost: c.Call(_seat(ghost)),
    lambda ghost: c.WithdrawCall(_seat(ghost)),
    lambda ghost: c.PressSeat(_seat(ghost)),
    lambda ghost: c.Answer(ghost.luck.randint(0, 99), "yes"),
    lambda ghost: c.Drawn(ghost.luck.randint(0, 99)),
    lambda ghost: c.Forgive(ghost.luck.randint(0, 99)),
    lambda ghost: c.EnterHand(_seat(ghost), {_card(ghost): ghost.luck.randint(0, 5)}),
    lambda ghost: c.EnterPoints(_seat(ghost), 20),
    lambda ghost: c.GoOut(_seat(ghost)),
    lambda ghost: c.ClearHand(_seat(ghost)),
    lambda ghost: c.EditRound(ghost.luck.randint(-1, 3), out=99),
    lambda ghost: c.EditRound(ghost.luck.randint(-1, 3), points={99: 5}),
    lambda ghost: c.Sit(name="Ana", seat=_seat(ghost)),
    lambda ghost: c.Sit(name="x" * 200),
    lambda ghost: c.Sit(button=_seat(ghost)),
    lambda ghost: c.Stand(_seat(ghost)),
    lambda ghost: c.Rename(_seat(ghost), ghost.luck.choice(("", "   ", "Ana", "ana", "x" * 25))),
    lambda ghost: c.Swap(_seat(ghost), _seat(ghost)),
    lambda ghost: c.SetHandicap(_seat(ghost), ghost.luck.choice((-1, 300, 2_001))),
    lambda ghost: c.AssignButton(_seat(ghost)),
    lambda _: c.SetUp(edition="mau-mau"),
    lambda _: c.SetUp(scoring="classic"),
    lambda ghost: c.ChooseDealer(_seat(ghost)),
    lambda ghost: c.DrawForDeal({_seat(ghost): _card(ghost)}),
    lambda _: c.SwitchWay("free"),
    lambda ghost: c.Correct(turn=_seat(ghost)),
)
