"""Settle: read the evidence again, and write down what that changes.

This is the only place where a reading becomes rulings. A ruling whose outcome has changed is
replaced, with the reason; one whose race or catch is no longer there is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.reading import same_claim
from companion.referee.draft import Draft
from companion.referee.evidence.after_turn import calls_after_turn
from companion.referee.evidence.material import Material, material_of
from companion.referee.evidence.reading import (
    Reading,
    open_since,
    read,
    still_answers,
    without_answer,
)
from companion.referee.model.questions import Asking
from companion.referee.model.rulings import UNDECIDED, Ruling
from companion.referee.model.table import Claim, NamedRace, Race
from companion.referee.sentences import Sentence, say
from companion.referee.settling.questions import question_of
from companion.referee.settling.race_records import new_light, record_of
from companion.referee.settling.verdicts import Verdict, claim_verdict, race_verdict


def settle(draft: Draft, because: Sentence, since: int | None = None) -> None:
    """Read again; `because` says why a ruling that changes is replaced.

    `since` is given where something older than any late record has been changed.
    """
    material = material_of(draft.table)
    if material is not None:
        recent = draft.now.at - draft.timing.look_back
        material = withdraw_mistaken(draft, material, recent if since is None else since)
        _settle(draft, material, because, since)


def _settle(
    draft: Draft,
    material: Material,
    because: Sentence,
    since: int | None,
    *,
    races_since: int | None = None,
) -> None:
    now = draft.now.at
    reading = read(material, draft.house, draft.timing, now, since, races_since=races_since)
    _settle_races(draft, reading, because)
    _settle_claims(draft, reading, because)
    if reading.calls != draft.round.calls:
        draft.add(e.CallsRead(reading.calls))
    _settle_questions(draft, reading)
    if _answered_by_press(draft, reading) or _run_again(draft):
        changed = material_of(draft.table)
        assert changed is not None
        _settle(draft, changed, because, since)


def settle_turn(draft: Draft, seat: int) -> None:
    """Read again after a turn of this seat, where that can bear on what hands did."""
    round_ = draft.round
    calls = calls_after_turn(
        draft.edition, draft.house, round_, draft.evidence, draft.timing, draft.now.at
    )
    if calls is None:
        _settle_whole_turn(draft, say("again_card", name=draft.who(seat)))
    elif calls is not round_.calls and calls != round_.calls:
        draft.add(e.CallsRead(calls))


def _settle_whole_turn(draft: Draft, because: Sentence) -> None:
    """Read again as far back as the latest turn can reach.

    Where two play, hands make no race that no card has named: their races are as they were, unless
    this card is one or something is open.
    """
    material = material_of(draft.table)
    assert material is not None
    now = draft.now.at
    since = min(open_since(material, draft.timing, now), now - draft.timing.look_back)
    named = material.named and material.named[-1].at == now
    kept = len(material.seats) == 2 and not named and all(r.due is None for r in material.races)
    _settle(draft, material, because, since, races_since=now if kept else None)


def settle_hands(draft: Draft, because: Sentence, at: int) -> None:
    """Read again for hands of this moment, which bear on less of the past than a late record."""
    material = material_of(draft.table)
    if material is None:
        return
    since = open_since(material, draft.timing, at)
    material = withdraw_mistaken(draft, material, at)
    _settle(draft, material, because, since)


def withdraw_mistaken(draft: Draft, material: Material, at: int) -> Material:
    """Let no press stand for an answer that, with hands or records since then, is none any more."""
    house, timing, now = draft.house, draft.timing, draft.now.at
    for named in material.named:
        if named.answer is None or named.answer.press[1] + timing.bunch < at:
            continue
        if not still_answers(material, house, timing, now, named):
            withdraw(draft, named)
            asked = named.answer.question
            if asked.until is not None and now >= asked.until:
                asked = replace(asked, until=now + timing.race_limit)
            material = without_answer(material, named, asked)
    return material


def withdraw(draft: Draft, named: NamedRace) -> None:
    """Let a race not have been named by a press, and take that step out of the way back."""
    steps, step = 0, draft.table.past
    while step is not None and not (step.by_press and step.at == named.at):
        steps, step = steps + 1, step.below
    draft.add(e.AnswerWithdrawn(named, None if step is None else steps))


def _settle_races(draft: Draft, reading: Reading, because: Sentence) -> None:
    gone = list(draft.round.races)
    for race in reading.races:
        old = _known(gone, race, draft.timing.bunch)
        if old is not None:
            gone.remove(old)
        _settle_race(draft, race, old, because)
    for race in gone:
        _take_back(draft, race.ruling, say("again_no_race"))
        draft.add(e.RaceUnread(race.key))


def _known(races: Sequence[Race], race: Race, apart: int) -> Race | None:
    """The same race as it was read before: by its record, or by its hands."""
    for old in races:
        if race.record is not None and old.record == race.record:
            return old
    near = [old for old in races if abs(old.anchor - race.anchor) < apart]
    near = [old for old in near if race.record is None or old.record is None]
    return min(near, key=lambda old: abs(old.anchor - race.anchor), default=None)


def _settle_race(draft: Draft, race: Race, old: Race | None, because: Sentence) -> None:
    if race is old and race.state == "ruled" and race.ruling is not None:
        return
    race = replace(race, ruling=None if old is None else old.ruling)
    standing = _in_force(draft, race.ruling)
    if race == old and race.ruling is not None and not _is_overruled(standing):
        return
    wanted = None if race.outcome is None else race_verdict(draft, race)
    if _is_overruled(standing):
        race = replace(race, state="void" if race.state == "void" else "ruled", tied=(), due=None)
    elif wanted is None:
        if standing is not None and not _awaits_tie_break(race, standing):
            _take_back(draft, standing.number, because, for_good=race.state == "void")
            race = replace(race, ruling=None)
    elif standing is None or _decides(race, standing):
        race = replace(race, ruling=_give(draft, wanted))
    elif not wanted.says_as(standing):
        race = replace(race, ruling=_replace(draft, standing, wanted, because))
    if race != old:
        draft.add(e.RaceRead(race, None if old is None else old.key))


def _awaits_tie_break(race: Race, standing: Ruling) -> bool:
    return race.state == "slap_off" and standing.outcome in UNDECIDED


def _decides(race: Race, standing: Ruling) -> bool:
    """Whether the new ruling decides what the one before it left open, instead of replacing it."""
    if standing.outcome not in UNDECIDED:
        return False
    light = race.slap_off
    fresh = light is not None and standing.at <= light.started_at
    answered = standing.outcome == "unusable" and race.outcome not in UNDECIDED
    return fresh or answered or race.outcome == "picked"


def _settle_claims(draft: Draft, reading: Reading, because: Sentence) -> None:
    gone = list(draft.round.claims)
    for claim in reading.claims:
        old = next((c for c in gone if same_claim(c, claim)), None)
        if old is not None:
            gone.remove(old)
        _settle_claim(draft, claim, old, because)
    for claim in gone:
        _take_back(draft, claim.ruling, because)
        draft.add(e.ClaimUnread(claim))


def _settle_claim(draft: Draft, claim: Claim, old: Claim | None, because: Sentence) -> None:
    claim = replace(claim, ruling=None if old is None else old.ruling)
    standing = _in_force(draft, claim.ruling)
    if claim == old and claim.ruling is not None and not _is_overruled(standing):
        return
    wanted = None if claim.outcome is None else claim_verdict(draft, claim)
    if _is_overruled(standing):
        claim = replace(claim, outcome=claim.outcome or "overruled", due=None)
    elif wanted is None:
        _take_back(draft, claim.ruling, because)
        claim = replace(claim, ruling=None)
    elif standing is None:
        claim = replace(claim, ruling=_give(draft, wanted))
    elif not wanted.says_as(standing):
        claim = replace(claim, ruling=_replace(draft, standing, wanted, because))
    if claim != old:
        draft.add(e.ClaimRead(claim))


def _in_force(draft: Draft, number: int | None) -> Ruling | None:
    if number is None:
        return None
    return next(
        (r for r in draft.match.rulings if r.number == number and r.overruled is None), None
    )


def _is_overruled(standing: Ruling | None) -> bool:
    """Whether the referee has spoken, so that no reading says anything else."""
    return standing is not None and standing.outcome == "overruled"


def _give(draft: Draft, wanted: Verdict) -> int:
    ruling = wanted.ruling(draft)
    draft.add(e.RulingGiven(ruling))
    return ruling.number


def _replace(draft: Draft, standing: Ruling, wanted: Verdict, because: Sentence) -> int:
    ruling = wanted.ruling(draft)
    draft.overrule(standing.number, because, ruling)
    return ruling.number


def _take_back(
    draft: Draft, number: int | None, because: Sentence, *, for_good: bool = False
) -> None:
    """Let a ruling stand no more; unless it is for good, no cards go back for it yet."""
    standing = _in_force(draft, number)
    if standing is None:
        return
    voided = draft.ruling(standing.rule, "void", because, (), ())
    if for_good:
        draft.overrule(standing.number, because, voided)
    else:
        draft.add(e.RulingOverruled(standing.number, because, voided))


def _settle_questions(draft: Draft, reading: Reading) -> None:
    raised = {asking.about: asking for asking in reading.asking if _is_open(draft, asking)}
    for question in draft.round.questions:
        asking = raised.get(question.about)
        if question.kind == "play_stands":
            continue
        same = asking is not None and (asking.kind, asking.seats, asking.until) == (
            question.kind,
            question.seats,
            question.until,
        )
        if same:
            del raised[question.about]
        else:
            draft.add(e.QuestionClosed(question.number))
    for asking in raised.values():
        draft.add(e.QuestionAsked(question_of(draft, asking)))


def _is_open(draft: Draft, asking: Asking) -> bool:
    """Whether there is still something to ask: what the referee has overruled is settled."""
    if asking.kind != "who_was_last":
        return True
    races = draft.round.races
    return any(race.anchor == asking.anchor and race.state == "undecided" for race in races)


def _answered_by_press(draft: Draft, reading: Reading) -> bool:
    """One press of a possible layer has answered who laid a race, where its lamp had asked."""
    for answered in reading.answered:
        race = next(
            r
            for r in draft.round.races
            if answered.question.about == f"race {r.anchor}" and r.state == "proposed"
        )
        draft.add(e.StepTaken(say("step_answer"), draft.now.at, by_press=True))
        draft.add(e.PressesAnswered((answered.press,)))
        layer = answered.press[0]
        draft.add(e.RaceNamed(replace(record_of(draft, race), layer=layer, answer=answered)))
    return bool(reading.answered)


def _run_again(draft: Draft) -> bool:
    """R12. Where several jumped the light of a slap-off, it runs again among them."""
    for race in draft.round.races:
        if race.outcome != "false_starts" or race.state != "undecided":
            continue
        named = next(n for n in draft.round.named if n.number == race.record)
        light = new_light(draft, race.tied)
        draft.add(e.RaceNamed(replace(named, lights=(*named.lights, light))))
        return True
    return False
