"""Which matches are chosen, by who played and by which rules."""

from __future__ import annotations

import pytest

from companion.past.briefs import Brief, BriefPlayer, MatchFilter
from companion.referee.commands import Scoring


def match(number: int, names: str, edition: str = "express", scoring: Scoring = "classic") -> Brief:
    players = tuple(BriefPlayer(name, 0, 0) for name in names.split())
    rules = (edition, edition.title(), scoring)
    return Brief(number, "2026-11-13T20:00:00Z", None, *rules, 0, players, ())


PAST = (
    match(5, "Ana Ben Cleo"),
    match(4, "Cleo Ben Ana", "fast-and-furious"),
    match(3, "Ana Ben", scoring="alternative"),
    match(2, "Ana Ben Cleo Dan"),
    match(1, "ana Ben"),
)


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        pytest.param(MatchFilter(), [5, 4, 3, 2, 1], id="nothing said, all of them"),
        pytest.param(MatchFilter(since=2, until=4), [4, 3, 2], id="one evening"),
        pytest.param(MatchFilter(since=9), [], id="not played yet"),
        pytest.param(
            MatchFilter(players=("Ana",)), [5, 4, 3, 2], id="Ana's, as she writes herself"
        ),
        pytest.param(MatchFilter(players=("Cleo", "Ana")), [5, 4, 2], id="both were there"),
        pytest.param(
            MatchFilter(players=("Cleo", "Ana", "Ben"), alone=True), [5, 4], id="these three alone"
        ),
        pytest.param(MatchFilter(players=("Ana",), alone=True), [], id="nobody plays alone"),
        pytest.param(MatchFilter(players=("Eve",)), [], id="somebody who never came"),
        pytest.param(MatchFilter(edition="fast-and-furious"), [4], id="an edition"),
        pytest.param(MatchFilter(scoring="alternative"), [3], id="a scoring"),
        pytest.param(
            MatchFilter(players=("Ben",), edition="express", scoring="classic", until=4),
            [2, 1],
            id="all of it together",
        ),
    ],
)
def test_the_matches_that_are_asked_for(wanted, numbers):
    assert [brief.number for brief in PAST if wanted.has(brief)] == numbers
