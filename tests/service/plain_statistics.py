"""The statistics once more, as plainly as they can be worked out from the lines of a journal.

Nothing of the companion is used: events are bare JSON, what was undone is cut off, and everything
is counted by looking at the whole match again for each figure. Slow, and easy to believe.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

Event = dict[str, Any]
Figures = dict[str, Any]


def what_counts(lines: Iterable[bytes]) -> dict[int, list[Event]]:
    """Cut off what was taken back, and give the events that are left of each match.

    Each match begins with those who sat down before it.
    """
    kept: list[Event] = []
    steps: list[int] = []
    cut: list[list[Event]] = []
    for line in lines:
        event = json.loads(line)
        match event["event"]:
            case "step_taken":
                steps.append(len(kept))
                cut = []
            case "undone":
                since = steps.pop()
                cut.append(kept[since:])
                del kept[since:]
            case "redone":
                steps.append(len(kept))
                kept += cut.pop()
            case "match_started":
                steps, cut = [], []
                kept.append(event)
            case _:
                kept.append(event)
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
        self.races: list[dict[str, Any]] = []
        self.catches: list[dict[str, Any]] = []
        self.calls: list[tuple[int, int, int]] = []
        self._go_through(events)
        self._add_up()

    def _go_through(self, events: list[Event]) -> None:
        seats: dict[int, int] = {}
        sitting: dict[int, str] = {}
        hows: dict[int, str] = {}
        started, round_, race = False, 0, 0
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
                    round_, hows = e["round"], {}
                case "round_scored":
                    hands = {int(p): left["points"] for p, left in e["hands"].items()}
                    self.rounds.append({"number": round_, "out": e["out"], "hands": hands})
                case "round_edited":
                    for known in self.rounds:
                        if known["number"] == e["round"]:
                            known["out"] = e["out"]
                            hands = {int(p): left["points"] for p, left in e["hands"].items()}
                            known["hands"] = hands
                case "race_declared":
                    race = e["declared_at"]
                    hows[race] = e["how"]
                    for press in e["presses"]:
                        slapped = press["seat"] != e["layer"] or press["at"] == race
                        if slapped and press["seat"] in e.get("claimed", ()):
                            pushed = (round_, seats[press["seat"]], press["at"])
                            self.calls = [call for call in self.calls if call != pushed]
                case "press_recorded" if e["meaning"] in ("call", "said"):
                    self.calls.append((round_, seats[e["press"]["seat"]], e["press"]["at"]))
                case "call_withdrawn":
                    own = [c for c in self.calls if c[:2] == (round_, seats[e["seat"]])]
                    own = sorted(own, key=lambda call: call[2])
                    while own:
                        gone = own.pop()
                        self.calls.remove(gone)
                        if own and gone[2] - own[-1][2] > 3_000_000_000:
                            break
                case "ruling_given":
                    self._rule(e["ruling"], seats, round_, race, hows)
                case "ruling_overruled":
                    void = [r["race"] for r in self.races if r["ruling"] == e["number"]]
                    self.races = [r for r in self.races if r["race"] not in void]
                    self.catches = [c for c in self.catches if c["ruling"] != e["number"]]
                case _:
                    pass

    def _enter(self, player: int, name: str) -> None:
        if player in self.stints:
            self.stints[player].append([len(self.rounds), None])
        else:
            self.names[player] = name
            self.stints[player] = [[len(self.rounds), None]]

    def _rule(
        self, ruling: Event, seats: dict[int, int], round_: int, race: int, hows: dict[int, str]
    ) -> None:
        seen = ruling.get("evidence") or {}
        code = ruling["sentence"]["code"]
        if seen.get("type") == "finish" and ruling["rule"] == "R12":
            places = [
                (seats[place["seat"]], place["after"], place.get("handicap", 0))
                for place in seen["places"]
            ]
            heat = len(seen["last"]) > 1 and not seen.get("no_slap") and not seen.get("early")
            self.races = [r for r in self.races if r["at"] != seen["declared_at"]]
            self.races.append(
                {
                    "ruling": ruling["number"],
                    "round": round_,
                    "race": race,
                    "at": seen["declared_at"],
                    "how": hows.get(seen["declared_at"], "slap_off"),
                    "places": places,
                    "code": code,
                    "last": [seats[seat] for seat in ruling["seats"]],
                    "heat": [seats[seat] for seat in seen["last"]] if heat else [],
                    "margin": seen["margin"],
                }
            )
        elif seen.get("type") == "calling":
            by = seen["by"]
            accused = seats[seen["seat"]]
            catch = {"ruling": ruling["number"], "player": accused, "code": code}
            self.catches.append({**catch, "by": None if by is None else seats[by]})

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
        """Whoever comes late gets the highest count of those who are already there."""
        joining = [p for p, stints in self.stints.items() if any(a == index for a, _ in stints)]
        there = [p for p in self.played(index) if p in kept and p not in joining]
        most = max([kept[p] for p in there], default=0)
        for player in joining:
            kept[player] = max(most, kept.get(player, 0))

    def _won(self, index: int, classic: dict[int, int], kept: dict[int, int]) -> list[int]:
        target = self.edition["target"]
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


UNDECIDED = ("dead_heat", "race_no_slaps")


def happened(match: Match) -> bool:
    """Say whether there was a round, a race, a call or a catch in it."""
    names = set(match.names.values())
    return bool(match.rounds or match.races) or any(any(calls([match], name)) for name in names)


def after_the_start(race: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Give the hands that came, without those that were down before a start that is known."""
    known = race["how"] in ("hold", "slap_off")
    return [
        (player, after, handicap)
        for player, after, handicap in race["places"]
        if after is not None and not (known and after + handicap <= 0)
    ]


def hand(matches: list[Match], name: str) -> Figures | None:
    raced = first = 0
    lost: list[bool] = []
    behind: list[int] = []
    slaps: list[int] = []
    for match in matches:
        for together in whole_races(match):
            head = together[0]
            decided = [race for race in together if race["code"] not in UNDECIDED]
            losers = decided[-1]["last"] if decided else []
            leader, time, _ = head["places"][0] if head["places"] else (None, None, 0)
            clear = time is not None and head["code"] != "race_early" and len(head["places"]) > 1
            clear = clear and bool(after_the_start(head)[:1] == head["places"][:1])
            for player, _, _ in head["places"]:
                if match.name(player) == name:
                    raced += 1
                    lost.append(player in losers)
                    first += clear and player == leader and player not in head["heat"]
        for race in match.races:
            came = after_the_start(race)
            for player, after, handicap in came:
                if match.name(player) != name:
                    continue
                if race["how"] != "slap_off":
                    behind.append(after - came[0][1])
                if race["how"] in ("hold", "slap_off"):
                    slaps.append(after + handicap)
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
    for at, (one, after, _) in enumerate(race["places"]):
        for other, _, _ in race["places"][at + 1 :]:
            one_lost, other_lost = one in race["last"], other in race["last"]
            both_tied = one in race["heat"] and other in race["heat"]
            if race["code"] == "race_early" or both_tied:
                if race["code"] in UNDECIDED or one_lost == other_lost:
                    continue
                pairs.append((one, other) if one_lost else (other, one))
            elif after is not None:
                pairs.append((other, one))
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
    came = [player for player, after, _ in race["places"] if after is not None]
    if len(came) < 2 or len(came) < len(race["places"]) or race["code"] in UNDECIDED:
        return None
    if len(race["last"]) != 1 or race["last"][0] not in came[-2:]:
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
        if race["code"] == "race_last" and last_two(match, race)
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
                good = catch["code"] == "caught"
                caught += good and catch["by"] == player
                missed += not good and catch["by"] == player
                forgot += good and catch["player"] == player
                saved += catch["code"] == "called_before" and catch["player"] == player
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
