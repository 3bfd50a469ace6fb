"""Undo and redo: records are taken back and brought back, presses never are."""

from __future__ import annotations

from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.evidence.material import evidence_of, presses_between
from companion.referee.evidence.races.used_hands import hands_that_show, light_spans
from companion.referee.model.table import Dismissal, Game, NamedRace, Race, Round, Step, Table
from companion.referee.sentences import Sentence, refuse, say
from companion.referee.settling.settle import settle, withdraw

Keys = tuple[tuple[int, int], ...]
FEW_CARDS = 3
"""A player with so few cards may have called UNO before the card for it was recorded."""


def undo(draft: Draft) -> None:
    """Take back the latest thing: a step, or what hands have done since then."""
    recent = hands_to_take_back(draft.table)
    if recent is not None:
        label, presses, kind = recent
        draft.add(e.PressesDismissed(label, presses, kind))
    elif draft.table.past is not None:
        step = draft.table.past
        lit = _hands_of_lost_lights(draft.table, step.game)
        lost = {*_hands_of_lost_races(draft.table, step.game), *lit}
        draft.add(e.Undone(step.label, tuple(sorted(lost))))
        if lit:
            draft.add(e.PressesAnswered(lit))
    else:
        raise refuse("nothing_to_undo")
    _settle(draft)


def redo(draft: Draft) -> None:
    """Do again what was last taken back."""
    if draft.table.future is None:
        raise refuse("nothing_to_redo")
    matches = draft.game.matches
    _withdraw_answers(draft, draft.table.future)
    draft.add(e.Redone(draft.table.future.label))
    match = draft.game.match
    if match is not None and match.number > matches:
        # The past finds every match that counts by its latest beginning.
        draft.add(
            e.MatchStarted(
                match=match.number,
                edition=match.edition,
                scoring=match.scoring,
                way=match.way,
                house=match.house,
                as_step=True,
                seats=draft.game.seats,
                setup=draft.game.setup,
            )
        )
        if match.dealer is not None:
            draft.add(e.DealerNamed(match.dealer))
    _settle(draft)


def _withdraw_answers(draft: Draft, step: Step) -> None:
    """What presses have answered since the undo goes: the game that comes back knows nothing of it.

    Their presses may be slaps there.
    """
    here, there = _named(draft.game), _named(step.game)
    for named in here:
        if named.answer is not None and named not in there and not step.hands_only:
            withdraw(draft, named)


def _named(game: Game) -> tuple[NamedRace, ...]:
    round_ = game.match.round if game.match is not None else None
    return () if round_ is None else round_.named


def _settle(draft: Draft) -> None:
    """Everything is read again, from the deal on: any record may have gone or come."""
    match = draft.game.match
    if match is not None and match.round is not None:
        _match_buttons(draft, match.round)
        settle(draft, say("again_undone"), match.round.began)


def _match_buttons(draft: Draft, round_: Round) -> None:
    """Seats may have other buttons again: believe those that work, and no others."""
    spans = evidence_of(draft.table, round_.began).unusable
    closed_out = {span.seat for span in spans if span.until is None}
    for seat in draft.game.seats:
        fault = draft.table.aside.get(seat.button or 0)
        if seat.button is None or seat.number not in round_.seats:
            continue
        if fault is not None and seat.number not in closed_out:
            draft.add(e.ButtonSetAside(seat.button, fault, draft.now.at))
        elif fault is None and seat.number in closed_out:
            draft.add(e.ButtonPutBack(seat.button, draft.now.at))


def hands_to_take_back(table: Table) -> tuple[Sentence, Keys, Dismissal] | None:
    """What hands have shown since the last step, by themselves: a race, a catch, or a call."""
    match = table.game.match
    round_ = match.round if match is not None else None
    if round_ is None:
        return None
    since = table.past.at if table.past is not None else 0
    latest: tuple[int, Sentence, Keys, Dismissal] | None = None
    for found in (*_races(table, round_), *_catches(table, round_), *_calls(table, round_)):
        if found[0] >= since and (latest is None or found[0] > latest[0]):
            latest = found
    return None if latest is None else latest[1:]


Found = tuple[int, Sentence, Keys, Dismissal]


def _races(table: Table, round_: Round) -> list[Found]:
    return [
        (race.anchor, _race_label(table, race), _keys(table, round_, race), "no_race")
        for race in round_.races
        if race.record is None and race.state != "void"
    ]


def _race_label(table: Table, race: Race) -> Sentence:
    if race.layer is None:
        return say("step_race_seen")
    return say("step_race", name=table.game.who(race.layer))


def _catches(table: Table, round_: Round) -> list[Found]:
    return [
        (
            claim.catch.at,
            say("step_catch", name=table.game.who(claim.seat)),
            ((claim.catch.seat, claim.catch.at),),
            "nothing",
        )
        for claim in round_.claims
        if claim.record is None
    ]


def _calls(table: Table, round_: Round) -> list[Found]:
    """A press shown as a call; in refereed play not one that somebody may well need.

    Hands of several seats are no accident there: a race whose card is not recorded yet, perhaps.
    """
    window = round_.calls.window
    since = table.past.at if table.past is not None else 0
    fresh = (*round_.calls.called.values(), *round_.calls.pending.values())
    if round_.way == "refereed" and sum(at > since for at in fresh) > 1:
        return []
    found: list[Found] = []
    for seat, at in (*round_.calls.called.items(), *round_.calls.pending.items()):
        needed = window is not None and window.seat == seat
        likely = round_.way == "refereed" and round_.hands.get(seat, 0) <= FEW_CARDS
        said = any(press.seat == seat and press.at == at for press in round_.said)
        if not (needed or likely or said):
            label = say("step_press", name=table.game.who(seat))
            found.append((at, label, ((seat, at),), "nothing"))
    return found


def _hands_of_lost_races(table: Table, before: Game) -> Keys:
    """The hands of races that go with the record that named them: they make none by themselves.

    In refereed play they never do; the right card may still be recorded for them.
    """
    is_, was = _same_round(table, before)
    if is_ is None or was is None or is_.way == "refereed":
        return ()
    apart = table.timing.bunch
    stays = {named.number for named in was.named}
    lost: list[tuple[int, int]] = []
    for race in is_.races:
        seen = any(
            abs(race.anchor - old.anchor) < apart
            and (old.state != "proposed" or race.how == "hands")
            for old in was.races
        )
        if race.record is not None and race.record not in stays and not seen:
            lost += _keys(table, is_, race)
    return tuple(lost)


def _hands_of_lost_lights(table: Table, before: Game) -> Keys:
    """The hands that pressed for the lights of a slap-off that goes: they mean nothing else."""
    is_, was = _same_round(table, before)
    if is_ is None or was is None:
        return ()
    stay = {named.number: len(named.lights) for named in was.named}
    evidence = evidence_of(table, is_.began)
    return tuple(
        sorted(
            {
                (seat, press.at)
                for named in is_.named
                for seat, since, over in light_spans(
                    named, named.lights[stay.get(named.number, 0) :], is_.races
                )
                for press in presses_between(evidence, seat, since, over - 1)
            }
        )
    )


def _same_round(table: Table, before: Game) -> tuple[Round | None, Round | None]:
    """The round as it is and as it was; nothing where it was not the same one."""
    was = before.match.round if before.match is not None else None
    match = table.game.match
    is_ = match.round if match is not None else None
    if was is None or is_ is None or was.began != is_.began:
        return None, None
    return is_, was


def _keys(table: Table, round_: Round, race: Race) -> Keys:
    return hands_that_show(evidence_of(table, round_.began), race, table.timing)
