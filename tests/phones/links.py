"""Phones on links that are slow, uneven and lossy, with clocks that drift and sleep: a simulation.

What is simulated knows the truth: when each finger really came down. The table learns only what a
table would: when it asked, what the phone answered, and when that arrived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from companion.phones.phone_clock import TOUCH, Dated, PhoneClock
from companion.referee.model.presses import MILLISECOND, SECOND

START = 50 * SECOND
RACE = START + 5 * SECOND
"""When fingers come down, after the phone has been at the table for a while."""
IDLE, LIVELY, BURST = SECOND, 200 * MILLISECOND, 60 * MILLISECOND


def ms(value: float) -> int:
    return round(value * MILLISECOND)


@dataclass
class Link:
    """One phone's way to the table and back; what is sent first arrives first."""

    luck: Random
    down: float = field(init=False)
    up: float = field(init=False)
    jitter: float = field(init=False)
    loss: float = field(init=False)

    def __post_init__(self) -> None:
        luck = self.luck
        self.down, self.up = luck.uniform(0.5, 25), luck.uniform(0.5, 25)
        if luck.random() < 0.2:
            self.up *= 6
        self.jitter = luck.choice((0.3, 3, 15))
        self.loss = luck.choice((0.0, 0.01, 0.05))

    def delay(self, least: float) -> int:
        """How long one message takes; a lost one is sent again later, perhaps twice."""
        late, again = 0.0, 200.0
        while self.luck.random() < self.loss:
            late, again = late + again, again * 2
        return ms(least + self.luck.expovariate(1 / self.jitter) + late)


class Clock:
    """A phone's own clock: it starts anywhere, drifts, is coarse, and may stand still in sleep."""

    def __init__(self, luck: Random, sleep: tuple[int, int] | None) -> None:
        self.base = luck.randint(0, 10**6) * MILLISECOND
        self.rate = 1 + luck.uniform(-150, 150) / 1e6
        self.grain = luck.choice((5_000, 100_000, MILLISECOND, MILLISECOND))
        self.sleep = sleep

    def read(self, at: int) -> int:
        """What the page reads; while the phone sleeps its clock stands still."""
        ran = at - START
        if self.sleep is not None and at > self.sleep[0]:
            ran -= min(at, self.sleep[1]) - self.sleep[0]
        exact = self.base + round(ran * self.rate)
        return exact - exact % self.grain


class Sent(NamedTuple):
    """Something that goes up to the table, in the order in which it was sent."""

    at: int
    what: str
    number: int = 0
    moment: int = 0
    wake: int = 0


class Phone:
    """A page on a phone: it answers whenever it is neither asleep nor busy."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        self.link = Link(luck)
        self.sleep: tuple[int, int] | None = None
        if luck.random() < 0.15:
            fell = START + luck.randint(ms(500), ms(1200))
            self.sleep = fell, fell + luck.randint(ms(2600), ms(3400))
        self.tells_sleep = luck.random() < 0.7
        self.clock = Clock(luck, self.sleep)
        self.lost: tuple[int, int] | None = None
        if luck.random() < 0.1:
            lost = RACE + luck.randint(-ms(900), ms(300))
            self.lost = lost, lost + luck.randint(ms(80), ms(900))
        self.busy: tuple[int, int] | None = None
        if luck.random() < 0.15:
            began = RACE + luck.randint(-ms(200), ms(500))
            self.busy = began, began + luck.randint(ms(20), ms(250))

    def wake(self, at: int) -> int:
        """How often the page says that it was woken."""
        return int(self.tells_sleep and self.sleep is not None and at >= self.sleep[1])

    def free(self, at: int) -> int:
        """When the page gets to what came at this moment."""
        for span in (self.sleep, self.busy):
            if span is not None and span[0] <= at < span[1]:
                at = span[1]
        return at

    def questions(self) -> list[int]:
        """When this phone is asked."""
        asked: list[int] = []
        bursts = [START, *([self.lost[1] + 1] if self.lost else [])]
        if self.sleep is not None and self.tells_sleep:
            bursts.append(self.sleep[1] + ms(30))
        for begin in bursts:
            asked += [begin + number * BURST for number in range(8)]
        asked += range(START + SECOND, RACE - ms(400), IDLE)
        asked += range(RACE - ms(400), RACE + ms(2600), LIVELY)
        return sorted(asked)

    def press(self, at: int) -> tuple[Dated, PhoneClock, int]:
        """Let a finger come down at this moment; tell how the table dated that, and when."""
        clock = PhoneClock(START)
        seen = at + self.luck.randint(0, TOUCH)
        sent = [Sent(self.free(seen), "press", 0, self.clock.read(seen), self.wake(seen))]
        down = self._fifo(self.link.down)
        asked = [(now, number) for number, now in enumerate(self.questions())]
        for now, number in asked:
            came = self.free(down(now))
            if self._passes(now, came):
                sent.append(Sent(came, "answer", number, self.clock.read(came), self.wake(came)))
        arrived = self._arrivals(sent)
        return self._served(clock, asked, arrived)

    def _served(
        self, clock: PhoneClock, asked: list[tuple[int, int]], arrived: list[tuple[int, Sent]]
    ) -> tuple[Dated, PhoneClock, int]:
        """What the table makes of it, in the order in which it happens there."""
        happens: list[tuple[int, int, Sent]] = [
            (now, 1, Sent(now, "ask", number)) for now, number in asked
        ]
        happens += [(now, 2, sent) for now, sent in arrived]
        if self.lost is not None:
            happens.append((self.lost[1], 0, Sent(self.lost[1], "reconnect")))
        numbers: dict[int, int | None] = {}
        for now, _, sent in sorted(happens):
            if sent.what == "ask":
                if self.lost is None or not self.lost[0] <= now <= self.lost[1]:
                    numbers[sent.number] = clock.ask(now)
            elif sent.what == "reconnect":
                clock.reconnect()
            elif sent.what == "answer":
                known = numbers.get(sent.number)
                if known is not None:
                    clock.answer(known, sent.moment, sent.wake, self.clock.grain, now)
            else:
                return clock.date(sent.moment, sent.wake, now), clock, now
        raise AssertionError("every press arrives at last")

    def _fifo(self, least: float) -> Callable[[int], int]:
        latest = 0

        def arrives(now: int) -> int:
            nonlocal latest
            latest = max(latest, now + self.link.delay(least))
            return latest

        return arrives

    def _passes(self, sent: int, arrives: int) -> bool:
        """Whether a message gets through before the connection is lost, or begins after it."""
        return self.lost is None or arrives <= self.lost[0] or sent > self.lost[1]

    def _arrivals(self, sent: list[Sent]) -> list[tuple[int, Sent]]:
        """When what was sent arrives; a press that got lost is sent anew, first of all."""
        up = self._fifo(self.link.up)
        arrivals: list[tuple[int, Sent]] = []
        again: list[Sent] = []
        late: list[Sent] = []
        for message in sorted(sent, key=lambda one: (one.at, self.luck.random())):
            if self.lost is not None and message.at > self.lost[1]:
                late.append(message)
                continue
            now = up(message.at)
            if self._passes(message.at, now):
                arrivals.append((now, message))
            elif message.what == "press" and self.lost is not None:
                again.append(message._replace(at=self.lost[1] + 1))
        up = self._fifo(self.link.up)
        arrivals += [(up(message.at), message) for message in (*again, *late)]
        return arrivals
