"""Matches and races to be drawn as pictures, made up for the purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MS = 1_000_000
STARTED = "2026-11-16T20:14:00+00:00"
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Iris", "Jonas")
BAD_NAMES = (
    "<script>hit()</script>",
    'Bo & "Bobby" <b> \'',
    "Wilhelmina-Alexandra von und zu Wittelsb",
    "محمد عبد الرحمن",
    "Z̷̢̛̭̟̗͕̘͍̈́̽̑̔͒a",
    "🎉🎲🃏",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
)


OUTCOMES = {
    "race_last": "last",
    "race_last_handicap": "last",
    "race_missing": "never_slapped",
    "race_alone": "last",
    "race_no_slaps": "nobody_slapped",
    "dead_heat": "dead_heat",
}


def record(
    players: int,
    *,
    scoring: str = "classic",
    rounds: int = 7,
    shared: bool = False,
    left: bool = False,
    names: Sequence[str] = NAMES,
) -> dict[str, Any]:
    """A match record as the table would answer it."""
    numbers = range(1, players + 1)
    totals = dict.fromkeys(numbers, 0)
    lines = []
    for number in range(1, rounds + 1):
        out = 1 + (number * number) % players
        for player in numbers:
            gained = (player == out) if scoring == "classic" else (player != out)
            totals[player] += (37 * number * player) % 97 + 5 if gained else 0
        if shared and number == rounds:
            high = max(totals.values()) + 40
            totals.update(dict.fromkeys((1, 2), high if scoring == "classic" else 0))
        sums = {"classic": dict(totals), "alternative": dict(totals)}
        lines.append({"number": number, "out": out, "hands": {}, "edited": False, **sums})
    best = max(totals.values()) if scoring == "classic" else min(totals.values())
    sheet = {
        "edition": "fast",
        "edition_name": "Fast & Furious",
        "target": 200,
        "scoring": scoring,
        "players": [
            {
                "player": player,
                "name": names[player - 1],
                "stints": [{"joined": 1, "left": 2 if left and player == players else None}],
                "classic": totals[player],
                "alternative": totals[player],
            }
            for player in numbers
        ],
        "rounds": lines,
        "winners": [player for player in numbers if totals[player] == best],
        "playing_on": False,
    }
    return {"number": 3, "started": STARTED, "ended": None, "sheet": sheet}


def look(
    hands: Mapping[int, float | None],
    code: str = "race_last",
    *,
    doubt: float = 0.05,
    starts: Mapping[int, int] | None = None,
    names: Sequence[str] = NAMES,
) -> dict[str, Any]:
    """A past race by seat and milliseconds, as the table would answer it."""
    places: list[dict[str, Any]] = []
    before: int | None = None
    first = min((came for came in hands.values() if came is not None), default=0.0)
    for seat, came in sorted(hands.items(), key=lambda one: (one[1] is None, one[1] or 0)):
        after = None if came is None else round((came - first) * MS)
        press = after is not None and {"at": after, "uncertainty": round(doubt * MS)}
        behind = None if after is None or before is None else after - before
        handicap = (starts or {}).get(seat, 0) * MS
        fields = {"after": after, "behind": behind, "handicap": handicap}
        fields |= {"early": False, "hammered": False}
        places.append({"seat": seat, "press": press or None, **fields})
        before = after
    tied = code in ("dead_heat", "race_no_slaps")
    last = [place["seat"] for place in (places[-2:] if tied else places[-1:])]
    told = {"name": names[last[-1] - 1], "names": ", ".join(names[seat - 1] for seat in last)}
    margin = places[-1]["behind"]
    parts = {**told, "cards": 4, "margin": f"{(margin or 0) / MS:.1f}", "doubt": str(2 * doubt)}
    return {
        "match": 3,
        "round": 2,
        "ruling": 12,
        "kind": "race",
        "outcome": OUTCOMES[code],
        "sentence": {"code": code, "text": f"{told['names']}: {code}", "parts": parts},
        "draws": [] if tied else [{"seat": seat, "cards": 4} for seat in last],
        "seats": [{"number": n, "player": n, "name": name} for n, name in enumerate(names, 1)],
        "layer": 1,
        "racers": [place["seat"] for place in places],
        "finish": {"layer": 1, "places": places, "last": last, "margin": margin, "doubt": 0},
    }
