"""Change an earlier entry of a refereed round: all that follows happens again, and is read again.

What no longer fits is kept as it was entered, and asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply.rulings import too_much
from companion.referee.draft import Draft, Now
from companion.referee.model.cards import Card
from companion.referee.model.questions import Choice, Question
from companion.referee.model.rulings import Ruling, layer_of
from companion.referee.model.table import Debt, Logged, NamedRace, Round, Turn
from companion.referee.rules.dealing import lay_first_card
from companion.referee.rules.deck import check_card, close_challenge, pay
from companion.referee.rules.disputes import set_right
from companion.referee.rules.going_out import say_out
from companion.referee.rules.turns import draw_one, lay
from companion.referee.rules.wild import judge_challenge, wild_on_top
from companion.referee.sentences import Refusal, Sentence, refuse, say
from companion.referee.settling.settle import settle


def change_play(draft: Draft, command: c.ChangePlay) -> None:
    """Put another card, or another player, into an earlier turn, or take the turn out."""
    round_ = draft.round
    entry = next((one for one in round_.log if one.number == command.turn), None)
    if entry is None or not isinstance(entry.command, c.Play | c.Draw):
        raise refuse("no_such_turn", "R5")
    if command.card is not None:
        check_card(draft, command.card)
    seat = command.seat or entry.command.seat
    assert seat is not None
    draft.player_in_round(seat)
    last = isinstance(entry.command, c.Play) and entry.command.last
    changed = None if command.remove else replace(entry, command=_other(command, seat, last=last))
    log = tuple(
        one
        for old in round_.log
        if (one := changed if old.number == entry.number else old) is not None
    )
    draft.step("step_change_play", name=draft.who(seat))
    replay(draft, log, say("again_card", name=draft.who(seat)))


def _other(command: c.ChangePlay, seat: int, *, last: bool) -> c.Play | c.Draw:
    if command.card is None:
        return c.Draw(seat)
    return c.Play(command.card, seat, command.colour, drawn=command.drawn, insist=True, last=last)


def replay(draft: Draft, log: tuple[Logged, ...], because: Sentence) -> None:
    """Let the round happen again from the deal on, and write down what came out otherwise."""
    before, match = draft.round, draft.match
    again = Draft(draft.table, Now(before.began, draft.now.luck))
    old = [r for r in match.rulings if r.at >= before.began and r.overruled is None]
    again.add(e.PlayChanged(_as_dealt(draft, before), match.serial))
    doubts = _repeat(again, before, log, because)
    again.now = draft.now
    settle(again, because, before.began)
    overruled = _overruled(match.rulings, before.began)
    numbers = _replace_rulings(draft, old, _rulings(again), overruled, because)
    own = {other.number for _, other in overruled} & set(numbers.values())
    round_ = _as_overruled(_renumbered(again.round, numbers), before, own)
    known = {ruling.number for ruling in match.rulings}
    new = [ruling for ruling in draft.match.rulings if ruling.number not in known]
    drawn = [debt for debt in before.paid if debt.ruling not in numbers.values()]
    round_ = _still_owed(_still_to_draw(round_, new, drawn), before)
    left = before.left if round_.out == before.out else {}
    draft.add(e.PlayChanged(replace(round_, left=left), draft.match.serial))
    for turn in draft.round.turns:
        if turn.number in doubts and turn.card is not None:
            draft.add(e.QuestionAsked(_question(draft, turn, turn.card)))


def _as_dealt(draft: Draft, round_: Round) -> Round:
    """The round from which everything can happen again."""
    if round_.base is not None:
        return replace(round_.base, base=round_.base)
    edition = draft.edition
    return Round(
        number=round_.number,
        seats=round_.seats,
        dealer=round_.dealer,
        way=round_.way,
        hands=dict.fromkeys(round_.seats, edition.dealt),
        draw_pile=edition.size - len(round_.seats) * edition.dealt,
        began=round_.began,
    )


def _repeat(again: Draft, before: Round, log: Iterable[Logged], because: Sentence) -> set[int]:
    """Enter everything anew, each at its own moment; tell the turns that no longer fit."""
    doubts: set[int] = set()
    decided = _decided(before, log)
    things: list[tuple[int, int, Logged | e.ReadingEvent]] = [
        *((entry.at, entry.number, entry) for entry in log),
        *_records_of_hands(before, {entry.number for entry in before.log}),
    ]
    for at, number, thing in sorted(things, key=lambda one: one[:2]):
        reach = again.now.at - again.timing.look_back
        again.now = Now(max(again.now.at, at), again.now.luck)
        settle(again, because, max(before.began, reach))
        if not isinstance(thing, Logged):
            again.add(thing)
        elif _enter(again, thing, decided) is not None:
            doubts.add(number)
        settle(again, because)
    return doubts


def _records_of_hands(
    before: Round, numbers: set[int]
) -> Iterable[tuple[int, int, e.ReadingEvent]]:
    """What was said about races, calls and catches beside the cards."""
    for named in before.named:
        if named.number not in numbers:
            early = named if named.card is None else replace(named, how="tablet")
            yield named.at, named.number, e.RaceNamed(early)
    for catch in before.catches:
        yield catch.at, catch.number, e.CatchNamed(catch)
    for press in before.said:
        yield press.at, 0, e.CallSaid(press)
    for seat, at in before.withdrawn.items():
        yield at, 0, e.CallWithdrawn(seat, at)
    for record, answer in before.answers.items():
        yield before.began, 0, e.CatchAnswered(record, answer)


def _decided(before: Round, log: Iterable[Logged]) -> Mapping[int, NamedRace]:
    """What was decided about the races of cards; one that somebody else played now is theirs."""
    decided = {named.card or named.number: named for named in before.named}
    played = {one.number: one.command.seat for one in before.log if isinstance(one.command, c.Play)}
    for entry in log:
        known, command = decided.get(entry.number), entry.command
        if known is None or not isinstance(command, c.Play):
            continue
        if command.seat != played[entry.number]:
            decided[entry.number] = replace(known, layer=command.seat)
    return decided


def _enter(again: Draft, entry: Logged, decided: Mapping[int, NamedRace]) -> Refusal | None:
    """Let one entry happen again; what cannot happen any more is left out, or told."""
    command, number = entry.command, entry.number
    if again.round.out is not None and not isinstance(command, c.Drawn | c.Forgive | c.Challenge):
        out = again.who(again.round.out)
        return refuse("round_over", name=out) if isinstance(command, c.Play | c.Draw) else None
    again.add(e.Entered(entry))
    match command:
        case c.TurnUp():
            lay_first_card(again, command)
        case c.Play():
            doubt = lay(again, command, number, lenient=True)
            known = decided.get(number)
            cards = [named for named in again.round.named if named.how == "card"]
            if known is not None and any(number in (n.number, n.card) for n in cards):
                again.add(e.RaceNamed(known))
            return doubt if not command.insist else None
        case c.Draw(seat):
            assert seat is not None
            draw_one(again, seat, number)
        case c.NameColour(colour):
            if wild_on_top(again):
                again.add(e.ColourNamed(colour))
        case c.Challenge(guilty):
            if again.round.challenge is not None:
                judge_challenge(again, guilty=guilty)
        case c.Drawn() | c.Forgive():
            _debt_again(again, entry)
        case c.GoOut():
            say_out(again, command)
        case c.Correct():
            try:
                set_right(again, command)
            except Refusal as refusal:
                return refusal
        case _:
            assert_never(command)
    return None


def _debt_again(again: Draft, entry: Logged) -> None:
    """Tick or forgive the first debt of that seat; its number may be another one now."""
    debt = next((debt for debt in again.round.debts if debt.seat == entry.seat), None)
    if debt is None:
        return
    if isinstance(entry.command, c.Drawn):
        pay(again, debt)
    else:
        again.add(e.DebtForgiven(debt.number))
        close_challenge(again, debt.ruling)


def _rulings(again: Draft) -> list[Ruling]:
    """The rulings that stand after everything happened again, in their order."""
    given = {e_.ruling.number for e_ in again.events if isinstance(e_, e.RulingGiven)}
    given |= {e_.ruling.number for e_ in again.events if isinstance(e_, e.RulingOverruled)}
    return [
        ruling
        for ruling in again.match.rulings
        if ruling.number in given and ruling.overruled is None and ruling.outcome != "void"
    ]


def _still_to_draw(round_: Round, new: Iterable[Ruling], drawn: Iterable[Debt]) -> Round:
    """For a ruling that is given only now no cards were drawn yet, although play went on.

    Cards that were drawn for a ruling that is gone count for it, and no others are drawn.
    """
    had = [(debt.seat, debt.cards) for debt in drawn]
    for ruling in new:
        for paid in [debt for debt in round_.paid if debt.ruling == ruling.number]:
            if (paid.seat, paid.cards) in had:
                had.remove((paid.seat, paid.cards))
                continue
            owed = ruling.draws[paid.number - ruling.number - 1].cards
            round_ = _owed_again(round_, paid, owed)
    return round_


def _still_owed(round_: Round, before: Round) -> Round:
    """Nor has anybody drawn what was open until now, however early its ruling comes this time."""
    owed = {debt.number: debt.cards for debt in before.debts}
    for paid in [debt for debt in round_.paid if debt.number in owed]:
        round_ = _owed_again(round_, paid, owed[paid.number])
    return round_


def _owed_again(round_: Round, paid: Debt, cards: int) -> Round:
    """Let what was taken as drawn be owed; a pile that ran short may have held fewer."""
    round_ = _moved(round_, paid, -1)
    return replace(round_, debts=(*round_.debts, replace(paid, cards=cards)))


def _moved(round_: Round, paid: Debt, ways: int) -> Round:
    """Let the cards of a debt be drawn, or be back on the pile."""
    seat, cards = paid.seat, ways * paid.cards
    rest = tuple(debt for debt in round_.paid if debt.number != paid.number)
    return replace(
        round_,
        hands={**round_.hands, seat: round_.hands[seat] + cards},
        draw_pile=round_.draw_pile - cards,
        paid=(*rest, paid) if ways > 0 else rest,
    )


Overruled = Sequence[tuple[Ruling, Ruling]]
"""Rulings that the referee has overruled, each with the referee's own."""


def _overruled(rulings: Sequence[Ruling], began: int) -> Overruled:
    return [
        (ruling, other)
        for ruling in rulings
        if ruling.at >= began and ruling.overruled is not None
        for other in rulings
        if other.outcome == "overruled"
        and other.sentence == ruling.overruled
        and other.number > ruling.number
        and other.overruled is None
    ]


def _as_overruled(round_: Round, before: Round, own: Collection[int]) -> Round:
    """What the referee has overruled stays so: people owe and drew what the referee has named."""
    for debt in [debt for debt in round_.paid if debt.ruling in own]:
        round_ = _moved(round_, debt, -1)
    for debt in [debt for debt in before.paid if debt.ruling in own]:
        round_ = _moved(round_, debt, 1)
    debts = [debt for debt in round_.debts if debt.ruling not in own]
    debts += [debt for debt in before.debts if debt.ruling in own]
    return replace(round_, debts=tuple(sorted(debts, key=lambda debt: debt.number)))


def _replace_rulings(
    draft: Draft,
    old: list[Ruling],
    new: list[Ruling],
    overruled: Overruled,
    because: Sentence,
) -> dict[int, int]:
    """Keep what still holds, take back what does not, give what is new; tell the numbers."""
    numbers: dict[int, int] = {}
    kept = list(old)
    fresh: list[Ruling] = []
    for ruling in new:
        by = next((other for one, other in overruled if _same(one, ruling)), None)
        if by is not None and by in kept:
            kept.remove(by)
            numbers[ruling.number] = by.number
            continue
        same = next((one for one in kept if _same(one, ruling)), None)
        if same is None:
            fresh.append(ruling)
        else:
            kept.remove(same)
            numbers[ruling.number] = same.number
    counts_on = {drawing for ruling in fresh for drawing in ruling.draws}
    for gone in kept:
        if gone.outcome != "void":
            voided = draft.ruling(gone.rule, "void", because, (), ())
            back = too_much(draft.round, gone.number, voided)
            voided = replace(voided, back=tuple(one for one in back if one not in counts_on))
            draft.add(e.RulingOverruled(gone.number, because, voided))
    for ruling in fresh:
        given = replace(ruling, number=draft.match.serial + 1, at=draft.now.at)
        draft.add(e.RulingGiven(given))
        numbers[ruling.number] = given.number
    return numbers


def _same(one: Ruling, other: Ruling) -> bool:
    says = one.rule, one.outcome, one.seats, one.draws, one.sentence, layer_of(one.evidence)
    return says == (
        other.rule,
        other.outcome,
        other.seats,
        other.draws,
        other.sentence,
        layer_of(other.evidence),
    )


def _renumbered(round_: Round, numbers: Mapping[int, int]) -> Round:
    """Point everything that follows from a ruling to the number that it really has."""
    challenge = round_.challenge
    if challenge is not None:
        challenge = replace(challenge, ruling=numbers.get(challenge.ruling, challenge.ruling))
    return replace(
        round_,
        debts=_of_rulings(round_.debts, numbers),
        paid=_of_rulings(round_.paid, numbers),
        races=tuple(replace(race, ruling=numbers.get(race.ruling or 0)) for race in round_.races),
        claims=tuple(
            replace(claim, ruling=numbers.get(claim.ruling or 0)) for claim in round_.claims
        ),
        challenge=challenge,
    )


def _of_rulings(debts: Iterable[Debt], numbers: Mapping[int, int]) -> tuple[Debt, ...]:
    """A ruling from before somebody left has the number that it had."""
    return tuple(
        replace(debt, ruling=number, number=number + debt.number - debt.ruling)
        for debt in debts
        for number in (numbers.get(debt.ruling, debt.ruling),)
    )


def _question(draft: Draft, turn: Turn, card: Card) -> Question:
    name, title = draft.who(turn.seat), draft.title(card)
    return Question(
        number=draft.table.version + 1,
        kind="play_stands",
        about=f"play {turn.number}",
        sentence=say("ask_play_stands", name=name, card=card, title=title),
        at=draft.now.at,
        choices=(Choice("stands", say("choice_stands")),),
    )
