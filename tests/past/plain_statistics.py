"""The statistics once more, as plainly as they can be worked out from the lines of a journal.

Nothing of the companion is used: events are bare JSON, what was undone is cut off, and everything
is counted by looking at the whole match again for each figure. Slow, and easy to believe.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Literal

Event = dict[str, Any]
Figures = dict[str, Any]
Chain = tuple["Chain", Event] | None
"""An event with all that came before it and was not taken back."""


def what_counts(lines: Iterable[bytes]) -> dict[int, list[Event]]:
    """Cut off what was taken back, and give the events that are left of each match.

    Each match begins with those who sat down before it.
    """
    now: Chain = None
    steps: list[Chain] = []
    later: list[Chain | Literal["hands"]] = []
    for line in lines:
        event = json.loads(line)
        match event["event"]:
            case "step_taken":
                steps.append(now)
                later = later if event.get("by_press") else []
            case "undone":
                later.append(now)
                now = steps.pop()
            case "presses_dismissed":
                later.append("hands")
                now = (now, event)
            case "answer_withdrawn":
                if event["step"] is not None:
                    del steps[-1 - event["step"]]
                now = (now, event)
            case "redone":
                again = later.pop()
                if again != "hands":
                    steps.append(now)
                    now = again
            case "match_started":
                steps, later = steps[-1:] if event.get("as_step") else [], []
                now = (now, event)
            case _:
                now = (now, event)
    kept: list[Event] = []
    while now is not None:
        now, event = now
        kept.append(event)
    kept.reverse()
    starts = [at for at, event in enumerate(kept) if event["event"] == "match_started"]
    found = {}
    for start, end in pairwise([*starts, len(kept)]):
        seated = [e for e in kept[:start] if e["event"] in SEATING]
        found[kept[start]["match"]] = seated + kept[start:end]
    return found


SEATING = ("seat_taken", "seat_left", "player_renamed", "seats_swapped")


class Match:
    """One match, gone through once more."""

    def __init__(self, number: int, events: list[Event]) -> None:
        self.number = number
        self.start = next(e for e in events if e["event"] == "match_started")
        self.edition = self.start["edition"]
        self.scoring = self.start["scoring"]
        self.names: dict[int, str] = {}
        self.rounds: list[dict[str, Any]] = []
        self.stints: dict[int, list[list[int | None]]] = {}
        self.starts: dict[tuple[int, int], int] = {}
        self.rulings: dict[int, dict[str, Any]] = {}
        self.read: list[dict[str, Any]] = []
        self.calls: list[tuple[int, int, int]] = []
        self._go_through(events)
        self.races = self._races()
        self.catches = [one for one in self.rulings.values() if "by" in one]
        self.calls = [call for call in self.calls if not self._was_another(call)]
        self._add_up()

    def _go_through(self, events: list[Event]) -> None:
        seats: dict[int, int] = {}
        sitting: dict[int, str] = {}
        started, round_ = False, 0
        for e in events:
            match e["event"]:
                case "match_started":
                    started = True
                    for seat in sorted(seats):
                        self._enter(seats[seat], sitting[seats[seat]])
                case "match_closed":
                    return
                case "seat_taken":
                    seats[e["seat"]] = e["player"]
                    sitting[e["player"]] = e["name"]
                    if started:
                        self._enter(e["player"], e["name"])
                        if e.get("start") is not None:
                            self.starts[e["player"], len(self.rounds)] = e["start"]
                case "seat_left":
                    player = seats.pop(e["seat"])
                    if started:
                        self.stints[player][-1][1] = len(self.rounds)
                case "player_renamed":
                    sitting[seats[e["seat"]]] = e["name"]
                    if started:
                        self.names[seats[e["seat"]]] = e["name"]
                case "seats_swapped":
                    one, other = seats.pop(e["seat"], None), seats.pop(e["other"], None)
                    if one is not None:
                        seats[e["other"]] = one
                    if other is not None:
                        seats[e["seat"]] = other
                case "round_dealt":
                    round_ = e["round"]
                case "round_scored":
                    hands = {int(p): left["points"] for p, left in e["hands"].items()}
                    self.rounds.append({"number": round_, "out": e["out"], "hands": hands})
                case "round_edited":
                    for known in self.rounds:
                        if known["number"] == e["round"]:
                            known["out"] = e["out"]
                            hands = {int(p): left["points"] for p, left in e["hands"].items()}
                            known["hands"] = hands
                case "race_read":
                    self._read(e["race"], e.get("was"), seats, round_)
                case "race_unread":
                    self.read = [
                        r for r in self.read if [r["round"], r["key"]] != [round_, e["was"]]
                    ]
                case "play_changed":
                    races = e["round"].get("races", [])
                    here = [[race["anchor"], race.get("record")] for race in races]
                    self.read = [r for r in self.read if r["round"] != round_ or r["key"] in here]
                    for race, key in zip(races, here, strict=True):
                        self._read(race, key, seats, round_)
                    self._call(e["round"].get("calls", {}).get("called", {}), seats, round_)
                case "calls_read":
                    self._call(e["calls"].get("called", {}), seats, round_)
                case "presses_dismissed" if e["kind"] == "no_race":
                    pass
                case "presses_dismissed" | "presses_answered":
                    gone = [(round_, seats[seat], at) for seat, at in e["presses"]]
                    self.calls = [call for call in self.calls if call not in gone]
                case "call_withdrawn":
                    own = [c for c in self.calls if c[:2] == (round_, seats[e["seat"]])]
                    own = sorted(own, key=lambda call: call[2])
                    while own:
                        gone_ = own.pop()
                        self.calls.remove(gone_)
                        if own and gone_[2] - own[-1][2] > 3_000_000_000:
                            break
                case "ruling_given":
                    self._rule(e["ruling"], seats, round_)
                case "ruling_overruled":
                    self.rulings.pop(e["number"], None)
                    self._rule(e["ruling"], seats, round_)
                case _:
                    pass

    def _read(self, race: Event, was: Any, seats: dict[int, int], round_: int) -> None:
        """Note what was read of a race in the place of what was known of it."""
        before = [r for r in self.read if [r["round"], r["key"]] == [round_, was]]
        new: dict[str, Any] = {"numbers": [], "lights": [], "judged": [], "seats": seats}
        known = before[0] if before else new
        self.read = [r for r in self.read if r not in before]
        slaps = [(slap["seat"], slap["at"]) for slap in race.get("slaps", [])]
        light = race.get("slap_off")
        number = race.get("ruling")
        self.read.append(
            {
                "round": round_,
                "key": [race["anchor"], race.get("record")],
                "how": race["how"],
                "void": race["state"] == "void",
                "ruling": number,
                "numbers": known["numbers"] + [number],
                "lights": known["lights"] + ([light["light_at"]] if light else []),
                "judged": known["judged"] + (slaps if race.get("outcome") else []),
                "slaps": slaps,
                "seats": dict(known["seats"]),
            }
        )

    def _call(self, called: dict[str, int], seats: dict[int, int], round_: int) -> None:
        for seat, at in called.items():
            if (round_, seats[int(seat)], at) not in self.calls:
                self.calls.append((round_, seats[int(seat)], at))

    def _races(self) -> list[dict[str, Any]]:
        """Every race that stands, and its slap-offs, each with the ruling that counts for it."""
        told: list[dict[str, Any]] = []
        for read in sorted(self.read, key=lambda r: (r["round"], r["key"][0])):
            if read["void"] or read["ruling"] not in self.rulings:
                continue
            standing: dict[int, dict[str, Any]] = {}
            for number in sorted({n for n in read["numbers"] if n in self.rulings}):
                ruling = dict(self.rulings[number])
                ruling["race"] = min(n for n in read["numbers"] if n is not None)
                ruling["how"] = "slap_off" if ruling["at"] in read["lights"] else read["how"]
                before = standing.get(ruling["at"])
                if before is not None and ruling["outcome"] == "picked":
                    ruling["unsure"], ruling["heat"] = before["unsure"], before["heat"]
                standing[ruling["at"]] = ruling
            told += standing.values()
        return told

    def _was_another(self, call: tuple[int, int, int]) -> bool:
        """Say whether what looked like a call was a slap, or a catch, or belonged to one."""
        round_, player, at = call
        for catch in [one for one in self.rulings.values() if "by" in one]:
            *whose, pushed = catch["pushed"]
            if whose == [round_, player] and 0 <= at - pushed <= 3_000_000_000:
                return True
        for read in self.read:
            slaps = read["judged"] + read["slaps"]
            own = [t for seat, t in slaps if read["seats"].get(seat) == player]
            last = max((t for _, t in slaps), default=0) + 700_000_000
            if read["round"] == round_ and any(t <= at <= last for t in own):
                return True
        return False

    def _enter(self, player: int, name: str) -> None:
        if player in self.stints:
            self.stints[player].append([len(self.rounds), None])
        else:
            self.names[player] = name
            self.stints[player] = [[len(self.rounds), None]]

    def _rule(self, ruling: Event, seats: dict[int, int], round_: int) -> None:
        seen = ruling.get("evidence") or {}
        outcome = ruling["outcome"]
        told: dict[str, Any] = {"ruling": ruling["number"], "round": round_, "outcome": outcome}
        if seen.get("type") == "finish" and ruling["rule"] == "R12":
            places = [
                {
                    "player": seats[place["seat"]],
                    "after": place["after"],
                    "handicap": place["handicap"],
                    "came": place["press"] is not None,
                    "early": place["early"],
                    "hammered": place["hammered"],
                }
                for place in seen["places"]
            ]
            last = [seats[seat] for seat in ruling["seats"]]
            self.rulings[ruling["number"]] = told | {
                "at": seen["start"],
                "places": places,
                "last": last,
                "unsure": last if outcome in ("dead_heat", "no_order") else [],
                "heat": outcome == "dead_heat",
                "margin": seen["margin"],
                "unheard": [seats[seat] for seat in seen["unusable"]],
            }
        elif seen.get("type") == "calling":
            by, call = seen["by"], seen["call"]
            self.rulings[ruling["number"]] = told | {
                "player": seats[seen["seat"]],
                "by": None if by is None else seats[by],
                "pushed": (round_, seats.get(seen["catch"]["seat"]), seen["catch"]["at"]),
            }
            if call is not None and outcome == "called":
                self._call({str(seen["seat"]): call["at"]}, seats, round_)

    def played(self, index: int) -> list[int]:
        """Who sat at the table in the round of this index."""
        return [
            player
            for player, stints in self.stints.items()
            if any(a is not None and a <= index and (b is None or index < b) for a, b in stints)
        ]

    def _add_up(self) -> None:
        """Count both scorings by hand, and look who won."""
        self.totals: list[dict[int, int]] = []
        self.winners: list[int] = []
        self.decisive: int | None = None
        classic = dict.fromkeys(self.stints, 0)
        kept: dict[int, int] = {}
        for index, line in enumerate(self.rounds):
            self._let_in(kept, index)
            classic[line["out"]] += sum(line["hands"].values())
            for player, points in line["hands"].items():
                kept[player] += points
            self.totals.append(dict(classic if self.scoring == "classic" else kept))
            if self.decisive is None:
                self.winners = self._won(index, classic, kept)
                if self.winners:
                    self.decisive = index

    def _let_in(self, kept: dict[int, int], index: int) -> None:
        """Whoever comes late begins where it was written down; all others have what they had."""
        joining = [p for p, stints in self.stints.items() if any(a == index for a, _ in stints)]
        for player in joining:
            kept[player] = self.starts.get((player, index), kept.get(player, 0))

    def _won(self, index: int, classic: dict[int, int], kept: dict[int, int]) -> list[int]:
        target = self.start["house"].get("target") or self.edition["target"]
        if self.scoring == "classic":
            out = self.rounds[index]["out"]
            return [out] if classic[out] >= target else []
        here = self.played(index)
        if not any(kept[player] >= target for player in here):
            return []
        lowest = [p for p in here if kept[p] == min(kept[q] for q in here)]
        share = self.start["house"].get("lowest_tie", "share") == "share"
        return lowest if share or len(lowest) == 1 else []

    def name(self, player: int | None) -> str | None:
        return None if player is None else self.names.get(player)

    def took_part(self) -> list[str]:
        """Name everybody who played a round."""
        told = {self.names[p] for line in self.rounds for p in (line["out"], *line["hands"])}
        return sorted(told)


def recompute(matches: list[Match]) -> Figures:
    """Work out every figure for these matches."""
    matches = sorted((m for m in matches if happened(m)), key=lambda match: match.number)
    everyone = list(dict.fromkeys(name for match in matches for name in match.names.values()))
    return {
        "matches": [match.number for match in matches if match.rounds],
        "rounds": sum(len(match.rounds) for match in matches),
        "races": sum(len({race["race"] for race in match.races}) for match in matches),
        "dead_heats": sum(
            1 for match in matches for head, *_ in whole_races(match) if head["heat"]
        ),
        "people": everyone,
        "hands": {name: told for name in everyone if (told := hand(matches, name))},
        "shave": shave(matches),
        "beaten": beaten(matches),
        "duels": duels(matches),
        "calls": {name: calls(matches, name) for name in everyone},
        "points": {name: told for name in everyone if (told := points(matches, name))},
        "winners": {name: won(matches, name) for name in everyone if any(won(matches, name))},
        "rates": rates(matches),
        "comebacks": comebacks(matches),
    }


def whole_races(match: Match) -> list[list[dict[str, Any]]]:
    """Give each Street Race together with its slap-offs."""
    order = list(dict.fromkeys(race["race"] for race in match.races))
    return [[race for race in match.races if race["race"] == at] for at in order]


UNDECIDED = ("dead_heat", "nobody_slapped", "no_order", "unusable", "false_starts")


def happened(match: Match) -> bool:
    """Say whether there was a round, a race, a call or a catch in it."""
    names = set(match.names.values())
    return bool(match.rounds or match.races) or any(any(calls([match], name)) for name in names)


def surely_first(race: dict[str, Any]) -> int | None:
    """Say whose hand was the first of several, beyond doubt."""
    places = race["places"]
    if len(places) < 2 or race["unheard"] or any(place["early"] for place in places):
        return None
    first = places[0]
    if first["after"] is None or first["hammered"] or first["player"] in race["unsure"]:
        return None
    return int(first["player"])


def hand(matches: list[Match], name: str) -> Figures | None:
    raced = first = 0
    lost: list[bool] = []
    behind: list[int] = []
    slaps: list[int] = []
    for match in matches:
        for together in whole_races(match):
            head = together[0]
            decided = [race for race in together if race["outcome"] not in UNDECIDED]
            losers = decided[-1]["last"] if decided else []
            for player in [place["player"] for place in head["places"]] + head["unheard"]:
                if match.name(player) == name:
                    raced += 1
                    lost.append(player in losers)
                    first += player == surely_first(head)
        for race in match.races:
            for place in race["places"]:
                timed = place["after"] is not None and not place["hammered"]
                if match.name(place["player"]) == name and timed:
                    if race["how"] == "slap_off":
                        slaps.append(place["after"] + place["handicap"])
                    else:
                        behind.append(place["after"])
    if not raced and not behind:
        return None
    runs = "".join("x" if was else "o" for was in lost).split("x")
    return {
        "races": raced,
        "first": first,
        "last": sum(lost),
        "behind": sum(behind) // len(behind) if behind else None,
        "safe": max(len(run) for run in runs),
        "slaps": times(slaps),
    }


def times(slaps: list[int]) -> Figures | None:
    if not slaps:
        return None
    slaps = sorted(slaps)
    places = [quarter * (len(slaps) - 1) / 4 for quarter in (1, 2, 3)]
    quartiles = []
    for place in places:
        low = slaps[int(place)]
        high = slaps[min(int(place) + 1, len(slaps) - 1)]
        quartiles.append(low + int((high - low) * int((place % 1) * 4) // 4))
    steps = [min(int(slap // 20_000_000), 99) for slap in slaps]
    return {
        "count": len(slaps),
        "best": slaps[0],
        "lower": quartiles[0],
        "median": quartiles[1],
        "upper": quartiles[2],
        "spread": [steps.count(step) for step in range(max(steps) + 1)],
        "times": slaps if len(slaps) <= 60 else [],
    }


def ordered_pairs(race: dict[str, Any]) -> list[tuple[int, int]]:
    """Say of every two racers who came behind whom, where that is known."""
    pairs = []
    for at, one in enumerate(race["places"]):
        for other in race["places"][at + 1 :]:
            both = one["player"], other["player"]
            if all(player in race["unsure"] for player in both):
                lost = [player for player in both if player in race["last"]]
                if race["outcome"] not in UNDECIDED and len(lost) == 1:
                    pairs.append(both if lost[0] == both[0] else both[::-1])
            elif one["early"] or other["early"]:
                if not (one["early"] and other["early"]):
                    pairs.append(both if one["early"] else both[::-1])
            elif one["came"]:
                pairs.append(both[::-1])
    return pairs


def beaten(matches: list[Match]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for match in matches:
        for race in match.races:
            for pair in ordered_pairs(race):
                one, other = match.names[pair[0]], match.names[pair[1]]
                if one != other:
                    found[one, other] = found.get((one, other), 0) + 1
    return found


def last_two(match: Match, race: dict[str, Any]) -> tuple[str, str] | None:
    """Name the loser and who just got away."""
    came = [place["player"] for place in race["places"] if place["came"]]
    if len(came) < 2 or len(came) < len(race["places"]) or race["outcome"] in UNDECIDED:
        return None
    if race["unheard"] or len(race["last"]) != 1 or race["last"][0] not in came[-2:]:
        return None
    (loser,) = race["last"]
    (saved,) = [player for player in came[-2:] if player != loser]
    pair = match.names[loser], match.names[saved]
    return pair if pair[0] != pair[1] else None


def duels(matches: list[Match]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for match in matches:
        for race in match.races:
            pair = last_two(match, race)
            if pair:
                found[pair] = found.get(pair, 0) + 1
    return found


def shave(matches: list[Match]) -> int | None:
    """Tell the smallest margin that decided by itself."""
    margins = [
        race["margin"]
        for match in matches
        for race in match.races
        if race["outcome"] == "last" and race["margin"] is not None and last_two(match, race)
    ]
    return min(margins, default=None)


def calls(matches: list[Match], name: str) -> tuple[int, int, int, int, int]:
    made = caught = missed = forgot = saved = 0
    for match in matches:
        for player in [p for p, known in match.names.items() if known == name]:
            for round_ in {call[0] for call in match.calls}:
                pushes = sorted(at for r, p, at in match.calls if (r, p) == (round_, player))
                apart = [b - a for a, b in pairwise(pushes) if b - a > 3_000_000_000]
                made += len(apart) + bool(pushes)
            for catch in match.catches:
                good = catch["outcome"] == "caught"
                caught += good and catch["by"] == player
                missed += not good and catch["by"] == player
                forgot += good and catch["player"] == player
                saved += catch["outcome"] == "called" and catch["player"] == player
    return made, caught, missed, forgot, saved


def points(matches: list[Match], name: str) -> Figures | None:
    left, got = [], []
    for match in matches:
        for line in match.rounds:
            if match.names[line["out"]] == name:
                got.append(sum(line["hands"].values()))
            left += [count for p, count in line["hands"].items() if match.names[p] == name]
    if not left and not got:
        return None
    return {
        "rounds": len(left) + len(got),
        "out": len(got),
        "left": sum(left),
        "won": sum(got),
        "best": max(got) if got else None,
        "worst": max(left) if left else 0,
        "left_spread": steps_of_ten(left),
        "won_spread": steps_of_ten(got),
    }


def steps_of_ten(values: list[int]) -> list[int]:
    steps = [min(value // 10, 49) for value in values]
    return [steps.count(step) for step in range(max(steps) + 1)] if steps else []


def won(matches: list[Match], name: str) -> tuple[int, int, int]:
    """Count matches won, rounds won, and the longest row of matches."""
    row = longest = wins = 0
    for match in matches:
        if match.winners and name in match.took_part():
            yes = name in [match.names[player] for player in match.winners]
            wins += yes
            row = row + 1 if yes else 0
            longest = max(longest, row)
    out = sum(match.names[r["out"]] == name for match in matches for r in match.rounds)
    return wins, out, longest


def rates(matches: list[Match]) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Count matches played and won, for each edition and scoring."""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    for match in [match for match in matches if match.winners]:
        for name in match.took_part():
            kind = name, match.edition["key"], match.scoring
            played, wins = found.get(kind, (0, 0))
            yes = name in [match.names[player] for player in match.winners]
            found[kind] = played + 1, wins + yes
    return found


def comebacks(matches: list[Match]) -> list[tuple[int, int, int, str, tuple[int, ...]]]:
    """Tell points behind, rounds, match, name and leads; the largest first, five of them."""
    found = []
    for match in matches:
        for player in match.winners:
            assert match.decisive is not None
            leads = []
            for index in range(match.decisive + 1):
                line = match.rounds[index]
                there = [line["out"], *line["hands"]]
                others = [match.totals[index][p] for p in there if p != player]
                if player in there and others:
                    own = match.totals[index][player]
                    classic = match.scoring == "classic"
                    leads.append((own - max(others) if classic else min(others) - own, index))
            before = leads[:-1]
            if before and min(before)[0] < 0:
                worst = min(lead for lead, _ in before)
                at = max(index for lead, index in before if lead == worst)
                rounds = match.decisive - at
                way = tuple(lead for lead, _ in leads)
                found.append((-worst, rounds, match.number, match.names[player], way))
    return sorted(found, key=lambda one: (-one[0], one[1], one[2], one[3]))[:5]
