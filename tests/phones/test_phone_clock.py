"""What a phone's clock is believed, and what not: bounds that no phone can talk its way out of."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from companion.phones.phone_clock import (
    BUSY,
    DRIFT,
    GIVEN_UP,
    GRAIN,
    LATE,
    OPEN,
    REACH,
    SILENCE,
    SLOW,
    STEP,
    TOUCH,
    PhoneClock,
)
from companion.referee.model.presses import MILLISECOND as MS
from companion.referee.model.presses import SECOND, Timing

NOW = 1_000 * SECOND
AHEAD = 400 * SECOND
"""By how much the table's clock is ahead of this phone's."""


class Talk:
    """A phone and a table that ask and answer each other; each way takes ten milliseconds."""

    def __init__(self) -> None:
        self.now = NOW
        self.clock = PhoneClock(NOW)
        self.ahead = AHEAD
        self.wake = 0

    def asked(self, *, there: int = 10 * MS, back: int = 10 * MS) -> None:
        """One question and its answer."""
        number = self.clock.ask(self.now)
        assert number is not None
        read = self.now + there - self.ahead
        self.now += there + back
        assert self.clock.answer(number, read, self.wake, 0, self.now)

    def in_step(self) -> Talk:
        for _ in range(8):
            self.asked()
            self.now += 50 * MS
        return self


def test_the_exchange_tells_how_exact_a_press_is():
    talk = Talk()
    assert talk.clock.doubt(talk.now) is None
    talk.asked()
    back = 10 * MS + 2 * GRAIN + TOUCH
    assert talk.clock.doubt(talk.now) == pytest.approx((back + 10 * MS) / 2, abs=MS)
    for _ in range(2):
        talk.asked(there=1 * MS, back=1 * MS)
    near = talk.clock.doubt(talk.now)
    assert near == pytest.approx((1 * MS + 2 * GRAIN + TOUCH + 1 * MS) / 2, abs=MS)
    talk.asked(there=1 * MS, back=1 * MS)
    talk.asked(there=100 * MS, back=3 * MS)
    later = talk.clock.doubt(talk.now)
    assert later is not None
    assert near is not None
    assert near < later <= near + 103 * MS * DRIFT // 1_000_000 + 10


@pytest.mark.parametrize("there", [1, 10, 19])
def test_an_uneven_way_is_inside_the_doubt(there):
    talk = Talk()
    for _ in range(8):
        talk.asked(there=there * MS, back=(20 - there) * MS)
    talk.now += 30 * MS
    dated = talk.clock.date(talk.now - 20 * MS - AHEAD, 0, talk.now)
    assert dated.believed
    assert abs(dated.at - (talk.now - 20 * MS)) <= dated.uncertainty


def test_a_press_is_dated_when_it_was_made_and_not_when_it_arrived():
    talk = Talk().in_step()
    made = talk.now
    dated = talk.clock.date(made - AHEAD, 0, made + 90 * MS)
    assert dated.believed
    assert abs(dated.at - made) <= dated.uncertainty < 25 * MS


def test_a_press_that_took_unusually_long_may_be_as_young_as_it_usually_would_be():
    """Whoever was told of another hand can press after it and say before; the doubt knows that."""
    talk = Talk().in_step()
    made, arrived = talk.now, talk.now + 140 * MS
    dated = talk.clock.date(made - AHEAD, 0, arrived)
    assert dated.believed
    assert abs(dated.at - made) <= dated.uncertainty
    assert dated.at + dated.uncertainty >= arrived - LATE


def test_no_press_is_made_after_it_arrived():
    talk = Talk().in_step()
    dated = talk.clock.date(talk.now - AHEAD, 0, talk.now)
    assert dated.at + dated.uncertainty <= talk.now + 1


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(lambda now: now - AHEAD + SECOND, id="from the future"),
        pytest.param(lambda now: now - AHEAD - SECOND, id="from the past"),
        pytest.param(lambda _now: 0, id="from the start of the page"),
        pytest.param(lambda _now: 10**15, id="from next week"),
    ],
)
def test_a_moment_that_cannot_be_is_not_believed(moment):
    talk = Talk().in_step()
    talk.now += 40 * MS
    last_asked = talk.now - 110 * MS
    dated = talk.clock.date(moment(talk.now), 0, talk.now)
    assert (dated.at, dated.believed) == (talk.now, False)
    assert talk.now - dated.uncertainty == last_asked - BUSY


def test_a_press_from_before_the_last_answer_counts_as_made_up_to_it():
    """A page that was busy answers first and sends the touch after it; so would a liar."""
    talk = Talk().in_step()
    made = talk.now - 170 * MS
    answered = talk.now - 50 * MS
    dated = talk.clock.date(made - AHEAD, 0, talk.now)
    assert dated.believed
    assert dated.at - dated.uncertainty <= made
    assert dated.at + dated.uncertainty >= answered


def test_who_leaves_a_question_open_is_not_believed():
    talk = Talk().in_step()
    talk.clock.ask(talk.now)
    soon, late = talk.now + 100 * MS, talk.now + 150 * MS
    assert talk.clock.date(soon - 20 * MS - AHEAD, 0, soon).believed
    dated = talk.clock.date(late - 20 * MS - AHEAD, 0, late)
    assert not dated.believed
    assert dated.at == late
    assert talk.clock.doubt(late) is None


def test_a_slow_link_may_take_its_time_but_not_for_ever():
    talk = Talk().in_step()
    talk.asked(there=400 * MS, back=300 * MS)
    talk.clock.ask(talk.now)
    assert talk.clock.doubt(talk.now + REACH) is not None
    assert talk.clock.doubt(talk.now + REACH + 1) is None


def test_a_phone_that_nobody_asked_for_long_is_not_believed():
    talk = Talk().in_step()
    talk.now += SILENCE
    assert not talk.clock.date(talk.now - 20 * MS - AHEAD, 0, talk.now).believed


def test_presses_of_one_phone_come_in_their_order():
    talk = Talk().in_step()
    first = talk.clock.date(talk.now - AHEAD - 10 * MS, 0, talk.now)
    again = talk.clock.date(talk.now - AHEAD - 10 * MS, 0, talk.now + MS)
    earlier = talk.clock.date(talk.now - AHEAD - 12 * MS, 0, talk.now + 2 * MS)
    assert first.believed
    assert again.believed
    assert not earlier.believed


@pytest.mark.parametrize("told", [True, False], ids=["says so", "does not say so"])
def test_a_phone_that_slept_begins_anew(told):
    talk = Talk().in_step()
    for pause in (6 * SECOND, 40 * SECOND):
        talk.now += pause
        talk.ahead += pause
        talk.wake += told
        talk.asked()
        talk.asked()
        talk.now += 20 * MS
        made = talk.now - 10 * MS
        dated = talk.clock.date(made - talk.ahead, talk.wake, talk.now)
        assert dated.believed
        assert abs(dated.at - made) <= dated.uncertainty


@pytest.mark.parametrize("way", [1, 3, 10, 30], ids="{} ms each way".format)
def test_a_press_is_as_exact_as_the_phone_has_said(way):
    talk = Talk()
    for _ in range(8):
        talk.asked(there=way * MS, back=way * MS)
        talk.now += 50 * MS
    said = talk.clock.doubt(talk.now)
    dated = talk.clock.date(talk.now - AHEAD, 0, talk.now + way * MS)
    assert dated.believed
    assert said == pytest.approx(dated.uncertainty, abs=MS)


def test_a_question_that_a_sleeping_phone_answers_late_tells_little():
    talk = Talk().in_step()
    slept = SLOW + 500 * MS
    number = talk.clock.ask(talk.now)
    assert number is not None
    talk.ahead += slept
    talk.now += slept + 20 * MS
    assert talk.clock.answer(number, talk.now - 10 * MS - talk.ahead, 0, 0, talk.now)
    doubt = talk.clock.doubt(talk.now)
    assert doubt is not None
    assert doubt > slept // 4


def test_a_press_of_another_stretch_than_the_answers_is_not_believed():
    talk = Talk().in_step()
    dated = talk.clock.date(talk.now - AHEAD, 1, talk.now)
    assert not dated.believed
    talk.clock.wake_up(1)
    assert talk.clock.doubt(talk.now) is None


def test_a_jump_of_the_clock_is_noticed_by_the_next_answer():
    talk = Talk().in_step()
    talk.ahead += 300 * MS
    talk.asked()
    made = talk.now
    dated = talk.clock.date(made - talk.ahead, 0, made + 10 * MS)
    assert dated.believed
    assert abs(dated.at - made) <= dated.uncertainty


def test_over_a_new_connection_nothing_is_believed_before_its_first_answer():
    talk = Talk().in_step()
    last_asked = talk.now - 70 * MS
    made = talk.now
    talk.now += 300 * MS
    talk.clock.reconnect()
    dated = talk.clock.date(made - AHEAD, 0, talk.now)
    assert (dated.at, dated.uncertainty) == (talk.now, talk.now - last_asked + BUSY)
    assert talk.clock.doubt(talk.now) is None
    talk.asked()
    doubt = talk.clock.doubt(talk.now)
    assert doubt is not None
    assert doubt < 25 * MS


def test_what_nobody_asked_is_no_answer():
    talk = Talk().in_step()
    known = talk.clock.doubt(talk.now)
    for made_up in (0, -1, 8, 9, 1 << 53):
        assert not talk.clock.answer(made_up, 5, 0, 0, talk.now)
    number = talk.clock.ask(talk.now)
    assert number is not None
    talk.clock.reconnect()
    assert not talk.clock.answer(number, 5, 0, 0, talk.now)
    talk.asked(there=0, back=0)
    assert known is not None
    assert (talk.clock.doubt(talk.now) or 0) <= known


def test_the_next_question_has_a_number_that_nobody_can_guess():
    """Else a page could answer before it was asked, and seem to be nearer than it is."""
    firsts = {PhoneClock(NOW).ask(NOW) for _ in range(20)}
    assert len(firsts) > 15
    clock = PhoneClock(NOW)
    numbers = [clock.ask(NOW) or 0 for _ in range(OPEN)]
    assert numbers == sorted(numbers)
    assert len({after - before for before, after in pairwise(numbers)}) > OPEN // 2
    assert OPEN * STEP < 1 << 53


def test_a_phone_that_does_not_read_owes_an_answer_although_it_was_not_asked():
    talk = Talk().in_step()
    for _ in range(4):
        talk.clock.owe(talk.now)
        talk.now += 50 * MS
    assert talk.clock.doubt(talk.now) is None
    assert not talk.clock.date(talk.now - 150 * MS - AHEAD, 0, talk.now).believed
    talk.asked()
    assert talk.clock.doubt(talk.now) is not None


def test_a_phone_that_does_not_read_for_long_is_asked_again_when_it_does():
    talk = Talk().in_step()
    for _ in range(3 * OPEN):
        talk.clock.owe(talk.now)
        talk.now += 200 * MS
    talk.asked()
    assert talk.clock.doubt(talk.now) is not None


def test_a_phone_that_never_answers_is_not_asked_for_ever():
    clock = PhoneClock(NOW)
    assert [clock.ask(NOW + step) is None for step in range(OPEN + 2)] == [False] * OPEN + [
        True
    ] * 2
    dated = clock.date(5, 0, NOW + 90 * SECOND)
    assert (dated.at, dated.uncertainty) == (NOW + 90 * SECOND, GIVEN_UP)


def test_a_coarse_clock_says_so_and_is_dated_less_sharply():
    talk = Talk().in_step()
    fine = talk.clock.doubt(talk.now)
    number = talk.clock.ask(talk.now)
    assert number is not None
    assert talk.clock.answer(number, talk.now - AHEAD, 0, 20 * MS, talk.now)
    coarse = talk.clock.doubt(talk.now)
    assert fine is not None
    assert coarse is not None
    assert coarse >= fine + 19 * MS // 2


@pytest.mark.parametrize("slowest", [0, 40, 150, 390], ids="{} ms".format)
@pytest.mark.parametrize("reads", [True, False], ids=["reads", "does not read"])
def test_who_presses_on_seeing_another_hand_never_surely_beats_it_by_more(slowest, reads):
    """Answers at once most of the time, and slowly when it helps; sees a hand; says "I was first".

    Sharp answers make the doubt small and slow ones make the table patient, so that this is the
    most that a page can get out of both.
    """
    gains: list[int] = []
    for wait in range(0, 1200, 7):
        for ago in range(5, 400, 31):
            talk = Talk().in_step()
            for number in range(16):
                talk.asked(there=MS, back=MS if number % 8 else slowest * MS)
            talk.now += 20 * MS
            seen = talk.now
            for _ in range(1 + wait // 200):
                (talk.clock.ask if reads else talk.clock.owe)(talk.now)
            talk.now += wait * MS
            dated = talk.clock.date(seen - ago * MS - AHEAD, 0, talk.now)
            gains.append(talk.now - dated.at - dated.uncertainty)
    assert max(gains) <= LATE


def test_soon_after_a_catch_no_call_reaches_back_to_it():
    """Who was caught, and sees it, may make a call vague; but that soon ends, ruling or not."""
    ruled = Timing().settle
    latest = 0
    for seed in range(4000):
        luck = Random(seed)
        clock, caught = PhoneClock(NOW - 60 * SECOND), NOW
        asks = [caught - luck.randint(0, 200 * MS)]
        asks += [asks[0] - 200 * MS * back for back in range(1, 20)]
        if caught - asks[0] >= 100 * MS:
            asks.append(caught)
        asks += [max(asks) + 200 * MS * on for on in range(1, 10)]
        pressed = caught + luck.randint(0, 1500 * MS)
        mute = caught + luck.randint(-300 * MS, 600 * MS)
        slow = luck.choice((2, 40, 150, 390))
        happens = [(at, "ask", 0) for at in asks if at < pressed]
        numbers: dict[int, int] = {}
        for at in asks:
            back = luck.choice((1, 2, slow)) * MS
            if at + back < min(mute, pressed):
                happens.append((at + back, "answer", at))
        for now, what, asked in sorted(happens, key=lambda one: one[0]):
            if what == "ask":
                numbers[now] = clock.ask(now) or 0
            else:
                clock.answer(numbers[asked], now - AHEAD, 0, luck.choice((0, 0, 900 * MS)), now)
        dated = clock.date(caught - luck.randint(0, 400 * MS) - AHEAD, 0, pressed)
        before = dated.at - dated.uncertainty <= caught
        if before and dated.at < caught + ruled:
            latest = max(latest, pressed - caught)
    assert ruled < latest <= 750 * MS


def test_a_liar_never_gets_before_the_last_answer_nor_after_arrival():
    """Whatever a phone says and whenever: no press can count as surely made before it could be."""
    for seed in range(400):
        luck = Random(seed)
        clock, now, wake = PhoneClock(NOW), NOW, 0
        asked: dict[int, int] = {}
        proven = heard = NOW
        for _ in range(60):
            now += luck.randint(0, 300 * MS)
            match luck.randrange(4):
                case 0 | 1:
                    number = clock.ask(now)
                    if number is not None:
                        asked[number] = now
                case 2 if asked:
                    number = luck.choice([*asked, 77_777])
                    lie = luck.choice((0, now - AHEAD, luck.randint(0, 10**13), 10**18))
                    wake += luck.random() < 0.1
                    if clock.answer(number, lie, wake, luck.choice((0, 50 * MS)), now):
                        proven, heard = asked[number], now
                        asked = {other: at for other, at in asked.items() if other > number}
                case _:
                    lie = now - AHEAD - luck.choice((0, luck.randint(0, 3 * SECOND), -SECOND))
                    dated = clock.date(lie, wake, now)
                    assert dated.at <= now
                    assert dated.at - dated.uncertainty >= min(proven - BUSY, now - GIVEN_UP) - 1
                    surely = dated.at + dated.uncertainty
                    assert surely >= max(proven, now - LATE), (
                        "nobody can be beaten by a press that was not there yet"
                    )
        assert heard <= now
