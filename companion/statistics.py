"""The night's statistics: fastest hands, closest shave, rivals, and who catches whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from companion.matches import MatchRecord
from companion.moments import Moments, RaceMoment

RIVALS_TOLD = 3


class Hand(Struct, frozen=True):
    """How somebody raced; times are nanoseconds."""

    name: str
    races: int
    first: int
    last: int
    behind: int | None
    """On average behind the first hand of a race."""
    quickest: int | None
    """The best reaction, where its start is known: the layer's held button, or a light."""


class Shave(Struct, frozen=True):
    """The race that was decided by least."""

    loser: str
    saved: str
    margin: int
    match: int
    round: int


class Rivals(Struct, frozen=True):
    """Two who came in last and last but one, again and again."""

    names: tuple[str, str]
    duels: int
    lost: tuple[int, int]
    """How many of them each lost."""


class Catcher(Struct, frozen=True):
    """Somebody's part in forgotten calls."""

    name: str
    caught: int
    """Others caught without a call."""
    missed: int
    """Catches that were wrong."""
    forgot: int
    """Calls forgotten and paid for."""
    saved: int
    """Catches survived, because the call came first."""


class Winner(Struct, frozen=True):
    """What somebody won."""

    name: str
    matches: int
    rounds: int


class Night(Struct, frozen=True):
    """Some matches summed up; people are told apart by their names."""

    matches: tuple[int, ...]
    rounds: int
    races: int
    dead_heats: int
    winners: tuple[Winner, ...]
    hands: tuple[Hand, ...]
    """Everyone who raced, the fastest first."""
    shave: Shave | None
    rivals: tuple[Rivals, ...]
    catches: tuple[Catcher, ...]


def sum_up(records: Sequence[MatchRecord], moments: Mapping[int, Moments]) -> Night:
    """Sum up these matches."""
    told = [(record, moments.get(record.number, Moments())) for record in records]
    races = [
        (race, record.number, _names(record)) for record, known in told for race in known.races
    ]
    return Night(
        matches=tuple(sorted(record.number for record in records)),
        rounds=sum(len(record.sheet.rounds) for record in records),
        races=sum(1 for race, _, _ in races if race.how != "slap_off"),
        dead_heats=sum(1 for race, _, _ in races if len(race.last) > 1),
        winners=_winners(records),
        hands=_hands([(race, names) for race, _, names in races]),
        shave=_closest(races),
        rivals=_rivals([(race, names) for race, _, names in races]),
        catches=_catches(told),
    )


def _names(record: MatchRecord) -> dict[int, str]:
    return {player.player: player.name for player in record.sheet.players}


def _winners(records: Sequence[MatchRecord]) -> tuple[Winner, ...]:
    matches: dict[str, int] = defaultdict(int)
    rounds: dict[str, int] = defaultdict(int)
    for record in records:
        names = _names(record)
        for player in record.sheet.winners:
            matches[names[player]] += 1
        for line in record.sheet.rounds:
            rounds[names[line.out]] += 1
    found = [Winner(name, matches[name], rounds[name]) for name in {*matches, *rounds}]
    return tuple(sorted(found, key=lambda one: (-one.matches, -one.rounds, one.name)))


def _hands(races: Sequence[tuple[RaceMoment, dict[int, str]]]) -> tuple[Hand, ...]:
    behind: dict[str, list[int]] = defaultdict(list)
    reactions: dict[str, list[int]] = defaultdict(list)
    count: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for race, names in races:
        times = [(slap.player, slap.after) for slap in race.slaps if slap.after is not None]
        for player in {slap.player for slap in race.slaps} & names.keys():
            count[names[player]][0] += 1
            count[names[player]][1] += bool(times) and times[0][0] == player
            count[names[player]][2] += race.last == (player,)
        for player, after in times:
            if player not in names:
                continue
            behind[names[player]].append(after - times[0][1])
            if race.how in ("hold", "slap_off") and after > 0:
                reactions[names[player]].append(after)
    hands = [
        Hand(
            name=name,
            races=raced,
            first=first,
            last=last,
            behind=sum(behind[name]) // len(behind[name]) if behind[name] else None,
            quickest=min(reactions[name], default=None),
        )
        for name, (raced, first, last) in count.items()
    ]
    never = 1 << 62
    return tuple(
        sorted(hands, key=lambda h: (never if h.behind is None else h.behind, -h.first, h.name))
    )


def _closest(races: Sequence[tuple[RaceMoment, int, dict[int, str]]]) -> Shave | None:
    """Find the smallest margin that decided by itself who draws."""
    shaves = []
    for race, match, names in races:
        pair = _last_two(race, names)
        if pair is not None and race.margin is not None and race.clear:
            shaves.append(Shave(pair[1], pair[0], race.margin, match, race.round))
    return min(shaves, key=lambda shave: (shave.margin, shave.match, shave.round), default=None)


def _rivals(races: Sequence[tuple[RaceMoment, dict[int, str]]]) -> tuple[Rivals, ...]:
    lost: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    duels: dict[tuple[str, str], int] = defaultdict(int)
    for race, names in races:
        pair = _last_two(race, names)
        if pair is None:
            continue
        one, other = sorted(pair)
        duels[one, other] += 1
        for player in race.last if len(race.last) == 1 else ():
            lost[one, other][names[player]] += 1
    most = sorted(duels, key=lambda pair: (-duels[pair], pair))[:RIVALS_TOLD]
    return tuple(
        Rivals(pair, duels[pair], (lost[pair][pair[0]], lost[pair][pair[1]]))
        for pair in most
        if duels[pair] > 1
    )


def _last_two(race: RaceMoment, names: Mapping[int, str]) -> tuple[str, str] | None:
    """Tell who fought for the last place with hands that both came; the later one second."""
    came = [slap.player for slap in race.slaps if slap.after is not None]
    if len(came) != len(race.slaps) or len(came) < 2:
        return None
    one, other = list(pairwise(came))[-1]
    if one not in names or other not in names or names[one] == names[other]:
        return None
    return names[one], names[other]


def _catches(told: Sequence[tuple[MatchRecord, Moments]]) -> tuple[Catcher, ...]:
    found: dict[str, Catcher] = {}

    def add(name: str | None, field: str) -> None:
        if name is not None:
            known = found.get(name, Catcher(name, 0, 0, 0, 0))
            more = {field: getattr(known, field) + 1}
            found[name] = msgspec.structs.replace(known, **more)

    for record, moments in told:
        names = _names(record)
        for catch in moments.catches:
            by = names.get(catch.by) if catch.by is not None else None
            player = names.get(catch.player) if catch.player is not None else None
            add(by, "caught" if catch.caught else "missed")
            add(player, "forgot" if catch.caught else "saved")
    order = sorted(found.values(), key=lambda one: (-one.caught, one.forgot, one.name))
    return tuple(order)
