"""Every race of a round: those that somebody named, and those that the hands show by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.catches.tapped_catches import said
from companion.referee.evidence.races.answering import answering_touch
from companion.referee.evidence.races.bunches import Bunch, Hands, bunches, slaps_and_after
from companion.referee.evidence.races.layers import possible_layers
from companion.referee.evidence.races.matching import match_races, may_come, without_superseded
from companion.referee.evidence.races.racing import read_race
from companion.referee.evidence.races.slapping import scattered
from companion.referee.evidence.races.used_hands import slapped_in, used_by, uses_hands
from companion.referee.evidence.scene import Scene
from companion.referee.model.questions import AnsweredByPress, Asking, Question, QuestionKind
from companion.referee.model.rulings import RaceState
from companion.referee.model.table import NamedRace, Race

OPEN: tuple[RaceState, ...] = ("proposed", "running")
"""A race in one of these states may still turn out to have other hands."""


class RacesRead(Struct, frozen=True):
    """What was read of races, and the touches that they leave for calls and catches."""

    races: tuple[Race, ...]
    used: frozenset[tuple[int, int]]
    """Touches that were slaps, or belong to hands that were."""
    undecided: frozenset[tuple[int, int]]
    """Those of them that an open race may still leave to calls and catches."""
    again: frozenset[tuple[int, int]]
    """Those of them that came after the slap of the same hand, and may have been a call."""
    asking: tuple[Asking, ...]
    answered: tuple[AnsweredByPress, ...]

    @property
    def open_until(self) -> int | None:
        """When an open race is read again at the latest, if nothing happens before."""
        dues = [race.due for race in self.races if race.state in OPEN and race.due is not None]
        return min(dues, default=None)


def read_races(scene: Scene, since: int) -> RacesRead:
    """Read the races from this moment on; those before it stay as they were read.

    Those with the most hands come first: what they leave is for the others.
    """
    material, timing = scene.material, scene.timing
    settled = tuple(race for race in material.races if race.anchor < since)
    slapped = slapped_in(scene, settled)
    read = {race.record for race in settled}
    named = [race for race in material.named if race.number not in read]
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
    reader = _Races(scene, settled, slapped, together)
    if not named and not together:
        return reader.result()
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
    owners = {id(bunch): number for number, bunch in matched.items()}
    for bunch in sorted(found, key=lambda one: one.rank(players - 1)):
        number = owners.get(id(bunch))
        if number not in waiting:
            reader.take(bunch, None if number is None else by_number[number])
    matched = {number: bunch for number, bunch in matched.items() if number not in waiting}
    shown = [bunch for bunch in found if bunch.start in known]
    for record in named:
        if record.number not in matched:
            reader.take(None, record, shown)
    return reader.result()


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
        self.raced = self.of_settled.union(*(slaps_and_after(scene.hands, b) for b in together))
        self.scene = replace(scene, idle=scene.hands.without(self.raced))
        self.races: list[Race] = []
        self.asking: list[Asking] = []
        self.answered: list[AnsweredByPress] = []
        self.taken = slapped
        self.used: set[tuple[int, int]] = set()
        self.undecided: set[tuple[int, int]] = set()

    def take(
        self, bunch: Bunch | None, named: NamedRace | None, shown: Sequence[Bunch] = ()
    ) -> None:
        """Read the race of a bunch, of a record, or of both.

        A record alone may in a while turn out to mean one of those that were shown already.
        """
        others = (
            key
            for other in self.together
            if other is not bunch and len(other.slaps) > len(self.scene.material.seats) // 2
            for key in other.keys
        )
        taken = self.taken.union(others)
        spoken = self._said_before(named) if named is not None and bunch is None else frozenset()
        hands = self.scene.hands.without(self.taken | spoken)
        idle = self.scene.idle.without(spoken)
        scene = replace(self.scene, hands=hands, idle=idle, taken=frozenset(taken))
        if named is not None and bunch is not None:
            own = set(slaps_and_after(scene.hands, bunch)) - self.taken
            scene = replace(scene, idle=scene.hands.without(self.raced - own))
        if named is not None:
            race = None if named.layer is None else read_race(scene, named.layer, named, bunch)
        elif bunch is not None and bunch.keys.isdisjoint(self.taken):
            race = self._seen(scene, bunch)
        else:
            race = None
        if race is not None and named is not None and bunch is None:
            race = self._unless_named_before(race, named)
        if race is not None and named is not None and race.due is not None:
            timing, now = self.scene.timing, self.scene.now
            if spoken or any(may_come(named, other, timing, now) for other in shown):
                race = replace(race, due=min(race.due, named.at + timing.look_ahead))
        if race is not None:
            self.races.append(race)
            slapped_here = slapped_in(self.scene, [race])
            self.taken |= slapped_here
            if bunch is not None and uses_hands(self.scene.material, race):
                slapped = {t.key for t in bunch.slaps.values() if t.seat != race.layer}
                slapped -= said(self.scene, slapped) - slapped_here
                self.used |= slapped
                if race.state in OPEN:
                    self.undecided |= slapped

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
        layers, sure = possible_layers(self.scene, bunch) if self._may_show(bunch) else ((), False)
        return layers[0] if sure else None

    def has_hands_of_its_own(self, named: NamedRace, bunch: Bunch) -> bool:
        """Whether slow hands fit a race that was named better than the bunch that is left.

        So it may be where that came long after the naming, or long before with the layer's hand.
        """
        material, timing = self.scene.material, self.scene.timing
        late = named.at - bunch.start > timing.layer_wait and named.layer in bunch.seats
        if named.anchor is not None or material.way != "free":
            return False
        if not late and bunch.start <= named.at + timing.look_ahead:
            return False
        racers = [seat for seat in material.seats if seat != named.layer]
        slow = scattered(self.scene, racers, named)
        return slow is not None and len(slow.slaps) == len(racers) > 1

    def was_said_before(self, named: NamedRace, bunch: Bunch) -> bool:
        """Whether two hands were rather a call and a catch; those of the race may still come."""
        return len(bunch.slaps) == 2 and bunch.keys <= self._said_before(named)

    def _said_before(self, named: NamedRace) -> frozenset[tuple[int, int]]:
        """What a catch that was tapped in before a race may be about, until the race has waited."""
        scene = self.scene
        if named.anchor is not None or scene.now >= named.at + scene.timing.look_ahead:
            return frozenset()
        return said(scene, (touch.key for touch in scene.hands.ordered), named.at)

    def result(self) -> RacesRead:
        """All that was read."""
        races = sorted(self.races, key=lambda race: (race.anchor, race.record or 0))
        everything = (*self.settled, *races)
        asking = [_who_was_last(race) for race in everything if race.outcome == "unusable"]
        used_of = [used_by(self.scene, [race]) for race in races]
        raced = self.of_settled.union(*used_of)
        again = frozenset(raced - self.used - slapped_in(self.scene, everything))
        running = (used for race, used in zip(races, used_of, strict=True) if race.state in OPEN)
        undecided = frozenset(self.undecided.union(*running))
        asked = (*self.asking, *asking)
        used = frozenset(raced | self.used)
        return RacesRead(everything, used, undecided, again, asked, tuple(self.answered))

    def _seen(self, scene: Scene, bunch: Bunch) -> Race | None:
        """The race that a bunch shows by itself, or the question that it raises, or nothing.

        From four players on, hands of all but one are a race by the player who kept off. Where
        fewer hands say so, or somebody may only have been slow, the table asks.
        """
        if not self._may_show(bunch):
            return None
        layers, sure = possible_layers(scene, bunch)
        if not layers:
            return None
        if sure:
            return read_race(scene, layers[0], None, bunch)
        return self._asked(scene, bunch, layers)

    def _may_show(self, bunch: Bunch) -> bool:
        """Whether hands alone may be a race: only in free play, with three or more players."""
        material = self.scene.material
        over = material.ended is not None and bunch.start > material.ended
        free = material.way == "free" and material.raced and len(material.seats) >= 3
        return free and not over and not bunch.denied and not self._was_a_catch(bunch)

    def _was_a_catch(self, bunch: Bunch) -> bool:
        """Whether two hands were a call and a catch: somebody said so on the tablet.

        Of three players, two that came as close together as slaps do are asked about all the same.
        """
        timing = self.scene.timing
        like_slaps = len(self.scene.material.seats) == 3 and bunch.spread <= timing.settle
        return (
            len(bunch.slaps) == 2
            and not like_slaps
            and any(
                named.seat in bunch.slaps
                and named.at - timing.catch_look_back <= bunch.start <= named.at
                for named in self.scene.material.catches
            )
        )

    def _asked(self, scene: Scene, bunch: Bunch, layers: tuple[int, ...]) -> Race | None:
        """Too little to be sure: ask whether it was a race, or who laid it."""
        timing, now = scene.timing, scene.now
        one = len(layers) == 1
        ask_at = bunch.start + (timing.bunch if one else timing.layer_wait)
        until = bunch.start + (timing.race_limit if one else timing.look_back)
        about = f"race {bunch.start}"
        waits = self._answer(scene, bunch, about)
        open_still = now < until or waits is not None
        if not open_still and not any(a.question.about == about for a in self.answered):
            return None
        lapsed = now >= until and about not in {q.about for q in scene.material.questions}
        if now >= ask_at and not lapsed:
            choices = ("yes", "no") if one else (*(str(seat) for seat in layers), "none")
            kind: QuestionKind = "was_race" if one else "who_laid"
            asked = layers if len(layers) <= 2 else ()
            self.asking.append(Asking(kind, about, choices, asked, bunch.start, until))
        race = replace(read_race(scene, layers[0], None, bunch), outcome=None, finish=None, tied=())
        if not one:
            order = sorted((t.press for t in bunch.slaps.values()), key=lambda p: (p.at, p.seat))
            race = replace(
                race,
                layer=None,
                layers=layers,
                racers=scene.material.seats,
                slaps=tuple(order),
                unusable=(),
            )
        due = min(
            (at for at in (waits, ask_at, until) if at is not None and at > now), default=None
        )
        return replace(race, anchor=bunch.start, state="proposed", due=due)

    def _answer(self, scene: Scene, bunch: Bunch, about: str) -> int | None:
        """Find the press that answers; tell until when it may still turn out to be a slap."""
        asked = _shown(scene, about)
        if asked is None:
            return None
        raced = self.taken | self.used | self.of_settled | used_by(self.scene, self.races)
        slow_until = bunch.start + scene.timing.layer_wait if len(scene.material.seats) > 3 else 0
        touch = answering_touch(self.scene, asked, raced, slow_until)
        if touch is None:
            return None
        self.used.add(touch.key)
        sure_at = touch.at + scene.timing.loose_spread
        if scene.now < sure_at:
            return sure_at
        self.answered.append(AnsweredByPress(asked, touch.key))
        return None


def _shown(scene: Scene, about: str) -> Question | None:
    """The question about a race as people see it, or have seen it until lately."""
    shown = (*scene.material.questions, *reversed(scene.material.lapsed))
    return next((question for question in shown if question.about == about), None)


def _who_was_last(race: Race) -> Asking:
    choices = (*(str(seat) for seat in race.unusable), "others")
    return Asking("who_was_last", f"last {race.anchor}", choices, race.unusable, race.anchor, None)
