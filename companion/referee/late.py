"""News that was late: a press on a phone may arrive after what it shows has been ruled."""

from __future__ import annotations

from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.presses import SECOND, Press
from companion.referee.race import judge_with
from companion.referee.rulings import Calling
from companion.referee.sentences import say
from companion.referee.table import Window
from companion.referee.uno import call_stands, wrong_catch


def news(draft: Draft, press: Press) -> bool:
    """Judge again what this press would have decided otherwise; tell whether it did."""
    return judge_with(draft, press) or _called_before(draft, press)


def _called_before(draft: Draft, call: Press) -> bool:
    """R13. Who called before the catch was not caught, however long the news was on its way."""
    rulings = draft.match.rulings
    own = [r for r in rulings if isinstance(r.evidence, Calling) and r.evidence.seat == call.seat]
    if not own or own[-1].sentence.code != "caught" or own[-1].overruled is not None:
        return False
    caught = own[-1]
    assert isinstance(caught.evidence, Calling)
    catch = caught.evidence.catch
    window = Window(call.seat, 0, call)
    in_time = call_stands(window, catch, draft.timing, draft.house)
    if call.at >= caught.at or not in_time:
        return False
    name = draft.name(call.seat)
    because = say("late_call", name=name)
    draft.add(e.RulingOverruled(caught.number, because, draft.ruling("R13", because, (), ())))
    draft.add(e.PressRecorded(call, "call"))
    early = max(catch.at - call.at, 0) / SECOND
    wrong_catch(
        draft, say("called_before", name=name, seconds=f"{early:.1f}"), call.seat, catch, call
    )
    return True
