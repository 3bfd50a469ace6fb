"""The statistics of some matches: hands, last places, rivals, calls, points, comebacks and wins.

People are told apart by their names, and are the same person wherever a name is spelt the same.
Times are nanoseconds.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from operator import is_

from companion.journal.match_list import MatchRecord
from companion.past.highlights.highlights import Highlights
from companion.past.statistics.match_share import sum_up_match
from companion.past.statistics.shape import (
    Beaten,
    Caller,
    Hand,
    Night,
    Points,
    Rate,
    Rivals,
    Slaps,
    Winner,
)
from companion.past.statistics.share import Part, Share, longest_run
from companion.referee.commands import Scoring
from companion.referee.model.presses import MILLISECOND

RIVALS_TOLD = 3
COMEBACKS_TOLD = 5
SLAP_STEP = 20 * MILLISECOND
SLAP_STEPS = 100
FEW = 60
ANSWERS = 8
"""So many choices of matches stay summed up."""
POINT_STEP = 10
POINT_STEPS = 50


class StatisticsMaker:
    """Sums matches up, and keeps what each of them adds for as long as it stays the same.

    One asker after the other is answered, and the same question at once: many who ask must not
    keep the processor from whoever presses.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[MatchRecord, Highlights, Part]] = {}
        self._answers: deque[tuple[list[Part], Night]] = deque(maxlen=ANSWERS)

    def sum_up(self, records: Iterable[MatchRecord], moments: Mapping[int, Highlights]) -> Night:
        """Sum these matches up."""
        with self._lock:
            parts = [self._part(record, moments.get(record.number, NOTHING)) for record in records]
            for known, night in self._answers:
                if len(known) == len(parts) and all(map(is_, known, parts)):
                    return night
            night = _night(sorted(parts, key=lambda part: part.number))
            self._answers.append((parts, night))
            return night

    def _part(self, record: MatchRecord, moments: Highlights) -> Part:
        kept = self._kept.get(record.number)
        if kept is not None and kept[0] is record and kept[1] is moments:
            return kept[2]
        part = sum_up_match(record, moments)
        self._kept[record.number] = (record, moments, part)
        return part


NOTHING = Highlights()


def sum_up(records: Iterable[MatchRecord], moments: Mapping[int, Highlights]) -> Night:
    """Sum some matches up once."""
    return StatisticsMaker().sum_up(records, moments)


def _night(parts: Sequence[Part]) -> Night:
    parts = [part for part in parts if part.happened]
    shares: dict[str, list[Share]] = defaultdict(list)
    beaten: Counter[tuple[str, str]] = Counter()
    duels: Counter[tuple[str, str]] = Counter()
    for part in parts:
        for name, share in part.shares.items():
            shares[name].append(share)
        beaten.update(part.beaten)
        duels.update(part.duels)
    shaves = [shave for part in parts for shave in part.shaves]
    comebacks = [comeback for part in parts for comeback in part.comebacks]
    comebacks.sort(key=lambda one: (-one.behind, one.rounds, one.match, one.name))
    return Night(
        matches=tuple(part.number for part in parts if part.rounds),
        rounds=sum(part.rounds for part in parts),
        races=sum(part.races for part in parts),
        dead_heats=sum(part.dead_heats for part in parts),
        people=tuple(shares),
        winners=_winners(parts, shares),
        hands=_hands(shares),
        shave=min(shaves, key=lambda s: (s.margin, s.match, s.round, s.ruling), default=None),
        beaten=tuple(Beaten(*pair, times) for pair, times in sorted(beaten.items())),
        rivals=_rivals(duels),
        calls=_calls(shares),
        points=_points(shares),
        comebacks=tuple(comebacks[:COMEBACKS_TOLD]),
        rates=_rates(parts),
    )


def _winners(parts: Sequence[Part], shares: Mapping[str, Sequence[Share]]) -> tuple[Winner, ...]:
    results: dict[str, list[bool]] = defaultdict(list)
    for part in parts:
        for name in _counted(part):
            results[name].append(name in part.winners)
    found = [
        Winner(
            name=name,
            matches=sum(results[name]),
            rounds=sum(len(share.won) for share in known),
            row=longest_run(results[name]),
        )
        for name, known in shares.items()
    ]
    told = [one for one in found if one.matches or one.rounds]
    return tuple(sorted(told, key=lambda one: (-one.matches, -one.rounds, one.name)))


def _rates(parts: Sequence[Part]) -> tuple[Rate, ...]:
    played: Counter[tuple[str, str, Scoring]] = Counter()
    won: Counter[tuple[str, str, Scoring]] = Counter()
    titles = {part.edition: part.edition_name for part in parts}
    for part in parts:
        for name in _counted(part):
            kind = (name, part.edition, part.scoring)
            played[kind] += 1
            won[kind] += name in part.winners
    rates = [
        Rate(name, edition, titles[edition], scoring, times, won[name, edition, scoring])
        for (name, edition, scoring), times in played.items()
    ]
    return tuple(sorted(rates, key=lambda r: (r.edition, r.scoring, -r.won, r.played, r.name)))


def _counted(part: Part) -> list[str]:
    """Name those who played a round of a match that somebody won."""
    if not part.decided:
        return []
    return [name for name, share in part.shares.items() if share.left or share.won]


def _hands(shares: Mapping[str, Sequence[Share]]) -> tuple[Hand, ...]:
    hands = []
    for name, known in shares.items():
        behind = [time for share in known for time in share.behind]
        lost = [was for share in known for was in share.lost]
        if lost or behind:
            hands.append(
                Hand(
                    name=name,
                    races=sum(share.races for share in known),
                    first=sum(share.first for share in known),
                    last=sum(lost),
                    behind=sum(behind) // len(behind) if behind else None,
                    safe=longest_run(not was for was in lost),
                    slaps=_slaps(sorted(time for share in known for time in share.slaps)),
                )
            )
    never = 1 << 62
    return tuple(
        sorted(hands, key=lambda h: (never if h.behind is None else h.behind, -h.first, h.name))
    )


def _slaps(times: Sequence[int]) -> Slaps | None:
    if not times:
        return None
    return Slaps(
        count=len(times),
        best=times[0],
        lower=_quantile(times, 1),
        median=_quantile(times, 2),
        upper=_quantile(times, 3),
        spread=_spread(times, SLAP_STEP, SLAP_STEPS),
        times=tuple(times) if len(times) <= FEW else (),
    )


def _quantile(times: Sequence[int], quarters: int) -> int:
    """Find the time that so many quarters lie below, half-way between the two nearest."""
    place = quarters * (len(times) - 1)
    low, rest = times[place // 4], place % 4
    return low + (times[min(place // 4 + 1, len(times) - 1)] - low) * rest // 4


def _spread(values: Iterable[int], step: int, steps: int) -> tuple[int, ...]:
    found = Counter(min(value // step, steps - 1) for value in values)
    return tuple(found[at] for at in range(max(found, default=-1) + 1))


def _rivals(duels: Counter[tuple[str, str]]) -> tuple[Rivals, ...]:
    pairs = {(min(pair), max(pair)) for pair in duels}
    found = []
    for one, other in pairs:
        lost = duels[one, other], duels[other, one]
        if sum(lost) > 1:
            found.append(Rivals((one, other), sum(lost), lost))
    return tuple(sorted(found, key=lambda pair: (-pair.duels, pair.names))[:RIVALS_TOLD])


def _calls(shares: Mapping[str, Sequence[Share]]) -> tuple[Caller, ...]:
    found = [
        Caller(
            name=name,
            calls=sum(share.calls for share in known),
            caught=sum(share.caught for share in known),
            missed=sum(share.missed for share in known),
            forgot=sum(share.forgot for share in known),
            saved=sum(share.saved for share in known),
        )
        for name, known in shares.items()
    ]
    told = [o for o in found if o.calls or o.caught or o.missed or o.forgot or o.saved]
    return tuple(sorted(told, key=lambda one: (-one.caught, one.forgot, -one.calls, one.name)))


def _points(shares: Mapping[str, Sequence[Share]]) -> tuple[Points, ...]:
    found = []
    for name, known in shares.items():
        left = [points for share in known for points in share.left]
        won = [points for share in known for points in share.won]
        if left or won:
            found.append(
                Points(
                    name=name,
                    rounds=len(left) + len(won),
                    out=len(won),
                    left=sum(left),
                    won=sum(won),
                    best=max(won, default=None),
                    worst=max(left, default=0),
                    left_spread=_spread(left, POINT_STEP, POINT_STEPS),
                    won_spread=_spread(won, POINT_STEP, POINT_STEPS),
                )
            )
    return tuple(sorted(found, key=lambda one: ((one.left - one.won) / one.rounds, one.name)))
