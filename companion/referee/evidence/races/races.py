"""Every race of a round: those that somebody named, and those that the hands show by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.catches.tapped_catches import said, said_until
from companion.referee.evidence.races.answering import answering_touch
from companion.referee.evidence.races.bunches import Bunch, Hands, bunches, slaps_and_after
from companion.referee.evidence.races.layers import possible_layers
from companion.referee.evidence.races.matching import (
    match_races,
    may_come,
    named_again,
    without_superseded,
)
from companion.referee.evidence.races.proposals import may_show, propose, question_about
from companion.referee.evidence.races.racing import read_race
from companion.referee.evidence.races.scattered import scattered
from companion.referee.evidence.races.used_hands import slapped_in, used_by, uses_hands
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.questions import AnsweredByPress, Asking
from companion.referee.model.rulings import RaceState
from companion.referee.model.table import NamedRace, Race

OPEN: tuple[RaceState, ...] = ("proposed", "running")
"""A race in one of these states may still turn out to have other hands."""
NONE: frozenset[tuple[int, int]] = frozenset()


class RacesRead(Struct, frozen=True):
    """What was read of races, and the touches that they leave for calls and catches."""

    races: tuple[Race, ...]
    used: frozenset[tuple[int, int]]
    """Touches that were slaps, or belong to hands that were."""
    undecided: frozenset[tuple[int, int]]
    """Those of them that an open race may still leave to calls and catches."""
    again: frozenset[tuple[int, int]]
    """Those of them that nobody needs as slaps, and that may have been a call.

    They came after the slap of the same hand, or are of the only one to slap.
    """
    asking: tuple[Asking, ...]
    answered: tuple[AnsweredByPress, ...]

    @property
    def open_until(self) -> int | None:
        """When an open race is read again at the latest, if nothing happens before."""
        dues = [race.due for race in self.races if race.state in OPEN and race.due is not None]
        return min(dues, default=None)


def read_races(scene: Scene, since: int) -> RacesRead:
    """Read the races from this moment on; those before it stay as they were read.

    Those with the most hands come first, also where those came too far apart for a bunch: what
    they leave is for the others. A record that was found to be of no race of its own stays so.
    """
    material, timing = scene.material, scene.timing
    settled = tuple(race for race in material.races if race.anchor < since)
    slapped = slapped_in(scene, settled)
    read = {race.record for race in settled}
    known_records = {race.record for race in material.races}
    named = [
        race
        for race in material.named
        if race.number not in read and (race.at >= since or race.number in known_records)
    ]
    players = len(material.seats)
    together = [
        bunch
        for part in (_parts(scene, since) if players > 2 else ())
        for bunch in bunches(part, material.seats, players - 1, timing)
    ]
    found = [
        bunch
        for bunch in together
        if bunch.start >= since - timing.bunch
        and bunch.keys.isdisjoint(slapped)
        and not any(
            abs(bunch.start - race.anchor) < timing.bunch
            for race in settled
            if race.state == "void"
        )
    ]
    if not named and not together:
        return _settled_alone(scene, settled, slapped)
    reader = _Races(scene, settled, slapped, together)
    known = {
        bunch.start: layer for bunch in found if (layer := reader.shown_layer(bunch)) is not None
    }
    named = without_superseded(named, found, players, timing)
    matched = match_races(
        named,
        found,
        players,
        timing,
        in_order=material.way == "refereed",
        now=scene.now,
        known=known,
    )
    by_number = {race.number: race for race in named}
    matched = {
        number: bunch
        for number, bunch in matched.items()
        if not reader.has_hands_of_its_own(by_number[number], bunch)
    }
    waiting = {n for n, bunch in matched.items() if reader.was_said_before(by_number[n], bunch)}
    alone = [
        n for n in named if n.layer is not None and (n.number not in matched or n.number in waiting)
    ]
    slow = {record.number: reader.slow_hands(record) for record in alone}
    reader.slow = reader.slow.union(*slow.values())
    owners = {id(bunch): number for number, bunch in matched.items()}
    for bunch in sorted(found, key=lambda one: one.rank(players - 1)):
        number = owners.get(id(bunch))
        if number not in waiting:
            reader.take(bunch, None if number is None else by_number[number])
    shown = [bunch for bunch in found if bunch.start in known]
    for record in sorted(alone, key=lambda one: not slow[one.number]):
        again = None if slow[record.number] else named_again(record, named, matched, timing)
        reader.take_alone(record, shown, again)
    return reader.result()


def _settled_alone(
    scene: Scene, settled: tuple[Race, ...], slapped: set[tuple[int, int]]
) -> RacesRead:
    """What there is to say of races that stay as they were, where there are no others."""
    used = frozenset(used_by(scene, settled))
    again = used - (slapped - _lonely(settled))
    return RacesRead(settled, used, NONE, again, _unusable(settled), ())


def _lonely(races: Iterable[Race]) -> set[tuple[int, int]]:
    """What the only one to slap had pressed before the race was named: it decides nothing."""
    return {
        (slap.seat, slap.at)
        for race in races
        if len(race.racers) == 1 and race.named_at is not None
        for slap in race.slaps
        if slap.at <= race.named_at
    }


def _unusable(races: Sequence[Race]) -> tuple[Asking, ...]:
    """What is asked about races whose last hand had no usable button."""
    return tuple(_who_was_last(race) for race in races if race.outcome == "unusable")


def _parts(scene: Scene, since: int) -> list[Hands]:
    """The touches from shortly before on, cut where a race was run again."""
    cuts = [race.since for race in scene.material.named if race.since is not None]
    start = since - 2 * (scene.timing.hammer_span + scene.timing.bunch)
    return scene.hands.split(sorted({start, *(cut for cut in cuts if cut > start)}))[1:]


class _Races:
    """Reads one race after the other, each with what the ones before it have left."""

    def __init__(
        self,
        scene: Scene,
        settled: tuple[Race, ...],
        slapped: set[tuple[int, int]],
        together: Sequence[Bunch],
    ) -> None:
        """The hands that slapped in the settled races belong to none of the others."""
        self.settled = settled
        self.together = together
        self.of_settled = used_by(scene, settled)
        raced = (slaps_and_after(scene.hands, b) for b in together if not b.was_none)
        self.raced = self.of_settled.union(*raced)
        self.scene = replace(scene, idle=scene.hands.without(self.raced))
        self.races: list[Race] = []
        self.asking: list[Asking] = []
        self.answered: list[AnsweredByPress] = []
        self.taken = slapped
        self.used: set[tuple[int, int]] = set()
        self.undecided: set[tuple[int, int]] = set()
        self.slow: frozenset[tuple[int, int]] = frozenset()
        """The hands of races that were named, and that came too far apart for a bunch."""

    def take(self, bunch: Bunch, named: NamedRace | None) -> None:
        """Read the race of a bunch, and of its record if it has one."""
        race: Race | None = None
        if named is None:
            race = self._seen(bunch)
        elif named.layer is not None:
            race = self._of_both(named, named.layer, bunch)
        if race is None:
            return
        slapped_here = self._add(race)
        if abs(race.anchor - bunch.start) >= self.scene.timing.bunch:
            return  # It was read from slower hands, and leaves these for others.
        if uses_hands(self.scene.material, race):
            slapped = {t.key for t in bunch.slaps.values() if t.seat != race.layer}
            slapped -= said(self.scene, slapped) - slapped_here
            self.used |= slapped
            if race.state in OPEN:
                self.undecided |= slapped

    def take_alone(
        self, named: NamedRace, shown: Sequence[Bunch], again: Bunch | None = None
    ) -> None:
        """Read the race of a record that has no hands of its own yet.

        In a while it may turn out to mean one of those that were shown already, or one that was
        cancelled before, whose hands are `again`.
        """
        timing, now = self.scene.timing, self.scene.now
        waits = again is not None or any(may_come(named, one, timing, now) for one in shown)
        if again is not None and now >= named.at + timing.look_ahead:
            self.take(again, named)
        elif (race := self._of_record(named, waits=waits)) is not None:
            self._add(race)

    def _add(self, race: Race) -> set[tuple[int, int]]:
        """Take a race as it was read, and the touches that slapped in it."""
        self.races.append(race)
        slapped_here = slapped_in(self.scene, [race])
        self.taken |= slapped_here
        return slapped_here

    def _left_for(self, bunch: Bunch | None) -> Scene:
        """The scene with the touches that races before this one have left.

        Those of other bunches with more than half of the hands are no late slaps here, nor are
        those that come after such a bunch, which has begun another race.
        """
        most = len(self.scene.material.seats) // 2
        others = [
            b for b in self.together if b is not bunch and not b.was_none and len(b.slaps) > most
        ]
        taken = self.taken.union(*(other.keys for other in others))
        if bunch is not None:
            ends = min((b.start for b in others if b.start > bunch.start), default=self.scene.now)
            taken |= {touch.key for touch in self.scene.hands.ordered if touch.at > ends}
        hands = self.scene.hands.without(self.taken)
        return replace(self.scene, hands=hands, taken=frozenset(taken))

    def _seen(self, bunch: Bunch) -> Race | None:
        """The race that a bunch shows by itself, or the question that it raises, or nothing.

        From four players on, hands of all but one are a race by the player who kept off. Where
        fewer hands say so, or somebody may only have been slow, the table asks.
        """
        if not bunch.keys.isdisjoint(self.taken) or not may_show(self.scene, bunch):
            return None
        scene = self._left_for(bunch)
        layers, sure = possible_layers(scene, bunch)
        if not layers:
            return None
        if sure:
            return read_race(scene, layers[0], None, bunch)
        answer = self._answer(bunch)
        proposal = propose(scene, bunch, layers, answer)
        if proposal is None:
            return None
        self.asking += () if proposal.asking is None else (proposal.asking,)
        self.answered += () if proposal.answered is None else (proposal.answered,)
        return proposal.race

    def _answer(self, bunch: Bunch) -> Touch | None:
        """The press that answers what is asked about a bunch, and says nothing else then."""
        asked = question_about(self.scene, bunch)
        if asked is None:
            return None
        raced = self.taken | self.used | self.of_settled | self.slow
        raced |= used_by(self.scene, self.races)
        touch = answering_touch(self.scene, asked, bunch, self.together, raced)
        if touch is not None:
            self.used.add(touch.key)
        return touch

    def _of_both(self, named: NamedRace, layer: int, bunch: Bunch) -> Race:
        """The race that was named, with the hands that belong to it."""
        scene = self._left_for(bunch)
        own = set(slaps_and_after(scene.hands, bunch)) - self.taken
        idle = scene.hands.without(self.raced - own)
        return read_race(replace(scene, idle=idle), layer, named, bunch)

    def _of_record(self, named: NamedRace, *, waits: bool) -> Race | None:
        """The race that was named, and of which no bunch of hands is known."""
        assert named.layer is not None
        spoken = self._said_before(named)
        scene = self._left_for(None)
        scene = replace(scene, hands=scene.hands.without(spoken), idle=scene.idle.without(spoken))
        race = self._unless_named_before(read_race(scene, named.layer, named, None), named)
        if race is None or race.due is None:
            return race
        if spoken or waits:
            race = replace(race, due=min(race.due, named.at + scene.timing.look_ahead))
        return race

    def _unless_named_before(self, race: Race, named: NamedRace) -> Race | None:
        """Where hands are missing, the race may be one that was named already, by somebody else.

        Without any hand it is that one; a few may be anything, so they cost no cards. Where
        another layer was named while it ran, one of the two names was a slip.
        """
        missing = race.outcome in ("nobody_slapped", "never_slapped")
        if not missing or named.how != "tablet" or named.since is not None:
            return race
        timing = self.scene.timing
        known = {
            other.record: other
            for other in (*self.settled, *self.races)
            if other.state != "void" and other.anchor >= named.at - timing.look_back
        }
        others = [(n, known[n.number]) for n in self.scene.material.named if n.number in known]
        slip = any(o.slaps and abs(n.at - named.at) <= timing.race_limit for n, o in others)
        again = any(o.layer == named.layer and n.number < named.number for n, o in others)
        if not race.slaps and (slip or again):
            return None
        if again:
            return replace(race, state="undecided", outcome="no_order", tied=race.racers)
        return race

    def shown_layer(self, bunch: Bunch) -> int | None:
        """Who laid the card, where the hands of a bunch tell that by themselves."""
        if not may_show(self.scene, bunch):
            return None
        layers, sure = possible_layers(self._left_for(bunch), bunch)
        return layers[0] if sure else None

    def has_hands_of_its_own(self, named: NamedRace, bunch: Bunch) -> bool:
        """Whether slow hands fit a race that was named better than the bunch that is left.

        So it may be where that came long after the naming. In free play also where it was said to
        be no race, or came long before with the layer's hand.
        """
        timing = self.scene.timing
        after = bunch.start > named.at + timing.look_ahead
        late = named.at - bunch.start > timing.layer_wait and named.layer in bunch.seats
        if not after and (self.scene.material.way != "free" or not (bunch.was_none or late)):
            return False
        return bool(self._slow_hands(named))

    def slow_hands(self, named: NamedRace) -> frozenset[tuple[int, int]]:
        """The hands of a race that was named, where in free play they were too slow for a bunch."""
        return self._slow_hands(named) if self.scene.material.way == "free" else frozenset()

    def _slow_hands(self, named: NamedRace) -> frozenset[tuple[int, int]]:
        """The hands of a race that was named, where all came, but too far apart for a bunch."""
        racers = [seat for seat in self.scene.material.seats if seat != named.layer]
        if named.anchor is not None or len(racers) < 2:
            return frozenset()
        slow = scattered(self.scene, racers, named)
        if slow is None or len(slow.slaps) < len(racers):
            return frozenset()
        return frozenset((press.seat, press.at) for press in slow.slaps.values())

    def was_said_before(self, named: NamedRace, bunch: Bunch) -> bool:
        """Whether two hands were rather a call and a catch; those of the race may still come."""
        return len(bunch.slaps) == 2 and bunch.keys <= self._said_before(named)

    def _said_before(self, named: NamedRace) -> frozenset[tuple[int, int]]:
        """What a catch that was tapped in before a race may be about, until the race has waited."""
        scene = self.scene
        if named.anchor is not None or scene.now >= named.at + scene.timing.look_ahead:
            return frozenset()
        return said_until(scene, named.at)

    def result(self) -> RacesRead:
        """All that was read."""
        races = sorted(self.races, key=lambda race: (race.anchor, race.record or 0))
        everything = (*self.settled, *races)
        used_of = [used_by(self.scene, [race]) for race in races]
        raced = self.of_settled.union(*used_of)
        again = frozenset(raced - self.used - (self.taken - _lonely(everything)))
        running = (used for race, used in zip(races, used_of, strict=True) if race.state in OPEN)
        undecided = frozenset(self.undecided.union(*running))
        asked = (*self.asking, *_unusable(everything))
        used = frozenset(raced | self.used)
        return RacesRead(everything, used, undecided, again, asked, tuple(self.answered))


def _who_was_last(race: Race) -> Asking:
    choices = (*(str(seat) for seat in race.unusable), "others")
    return Asking("who_was_last", f"last {race.anchor}", choices, race.unusable, race.anchor, None)
