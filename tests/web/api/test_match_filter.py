"""The filter of past matches in an address: what it chooses, and what it says to nonsense."""

from __future__ import annotations

import pytest

DOORS = ("/api/matches", "/api/statistics")


def play_a_round(shared):
    """A match of one round, which Ana ends; one without any round would be in no figures."""
    others = [seat["number"] for seat in shared.table["seats"] if seat["number"] != 1]
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 1}),
        *(("enter_points", {"seat": seat, "points": 20}) for seat in others),
        ("score_round", {}),
        ("close_match", {}),
    ):
        assert shared.do(kind, **fields).status == 200, kind


@pytest.fixture(scope="module")
def nights(shared):
    """Three matches: Ana and Ben, the same two for low scores, and Cleo with them."""
    shared.pair()
    for name in ("Ana", "Ben"):
        shared.do("sit", name=name)
    for settings in ({}, {"scoring": "alternative"}, {"edition": "express", "scoring": "classic"}):
        if settings:
            assert shared.do("set_up", **settings).status == 200
        if "edition" in settings:
            shared.do("sit", name="C&=é")
        play_a_round(shared)
    shared.cookie = None
    return shared


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("", [1, 2, 3]),
        ("?from=2", [2, 3]),
        ("?to=2&from=2", [2]),
        ("?player=Ana", [1, 2, 3]),
        ("?player=Ben&player=Ana&group=1", [1, 2]),
        ("?player=C%26%3D%C3%A9", [3]),
        ("?player=Zoe", []),
        ("?scoring=alternative", [2]),
        ("?edition=express", [3]),
        ("?edition=poker", []),
    ],
)
def test_both_doors_choose_alike(nights, door, asked, numbers):
    answer = nights.get(f"{door}{asked}")
    assert answer.status == 200
    found = [m if isinstance(m, int) else m["number"] for m in answer.json["matches"]]
    assert sorted(found) == numbers


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "asked",
    [
        "from=x",
        "to=-1",
        "from=1e3",
        "from=" + "9" * 40,
        "from=%D9%A3",
        "from=",
        "from=1&from=2",
        "player=",
        "player=" + "x" * 81,
        "&".join(f"player=P{n}" for n in range(33)),
        "group=1",
        "player=Ana&group=yes",
        "player=Ana&group=",
        "edition=",
        "scoring=Classic",
        "scoring=",
        "palyer=Ana",
        "players[]=Ana",
    ],
)
def test_nonsense_is_answered_with_a_sentence_and_chooses_nothing(nights, door, asked):
    answer = nights.get(f"{door}?{asked}")
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")
    assert answer.json["message"].endswith(".")
