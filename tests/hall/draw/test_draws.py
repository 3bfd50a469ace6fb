"""The draw: everybody once, nobody twice without need, and the same seed draws the same seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.hall.draw.drawing import NoDraw, draw
from companion.hall.draw.movements import MOVEMENTS
from companion.hall.draw.seating import (
    EFFORT,
    _Search,
    moved,
    movement,
    rainbow_rounds,
    table_sizes,
)
from companion.hall.evening import DrawnRound, Evening, Format, MatchTotal, Person, Plan, Result
from companion.hall.events import ResultWritten, RoundDrawn, apply
from companion.hall.standing import meetings, standing

DRAWN: tuple[Format, ...] = ("swiss", "club", "progressive", "knockout")


def evening_of(people: int, kind: Format = "swiss", **plan: int) -> Evening:
    listed = {number: Person(number, f"P{number}") for number in range(1, people + 1)}
    return Evening(plan=Plan(format=kind, **plan), people=listed)  # type: ignore[arg-type]


def played(evening: Evening, drawn: DrawnRound, best: int = 0) -> Evening:
    """Let a round be played, in which the one of the lower number does better."""
    evening = apply(evening, RoundDrawn(drawn))
    for seating in drawn.tables:
        places = tuple(MatchTotal(one, 1000 - one + (one == best) * 9000) for one in seating.people)
        result = Result(seating.table, 0, "", 0, "finished", "classic", places, round=drawn.number)
        evening = apply(evening, ResultWritten(result))
    return evening


def seated(drawn: DrawnRound) -> list[int]:
    return sorted([*drawn.byes, *(one for seating in drawn.tables for one in seating.people)])


@pytest.mark.parametrize(
    ("people", "sizes"),
    [
        pytest.param(4, [4], id="one table"),
        pytest.param(3, [3], id="three"),
        pytest.param(2, [2], id="two play all the same"),
        pytest.param(5, [4], id="five: one sits out"),
        pytest.param(6, [3, 3], id="two tables of three"),
        pytest.param(7, [4, 3], id="four and three"),
        pytest.param(13, [4, 3, 3, 3], id="thirteen"),
        pytest.param(1, [], id="nobody plays alone"),
    ],
)
def test_people_are_shared_out_over_tables(people, sizes):
    assert table_sizes(people, 3, 4) == sizes


def test_where_tables_are_missing_somebody_sits_out():
    assert table_sizes(13, 3, 4, tables=3) == [4, 4, 4]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(DRAWN), st.integers(3, 30), st.integers(0, 99), st.data())
def test_everybody_is_seated_once_in_every_round(kind, people, seed, data):
    evening = evening_of(people, kind, seed=seed)
    for number in range(1, 5):
        if kind == "knockout" and evening.round and seated(evening.round)[4:] == []:
            with pytest.raises(NoDraw, match="final"):
                draw(evening, seed)
            return
        drawn = draw(evening, seed)
        assert drawn == draw(evening, seed)
        assert drawn.number == number
        if kind != "knockout" or number == 1:
            assert seated(drawn) == sorted(evening.here)
        assert all(2 <= len(seating.people) <= 4 for seating in drawn.tables)
        evening = played(evening, drawn)
        if kind != "knockout" and len(evening.here) > 4 and data.draw(st.booleans()):
            leaving = data.draw(st.sampled_from(evening.here))
            gone = replace(evening.people[leaving], here=False)
            evening = replace(evening, people={**evening.people, leaving: gone})


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["swiss", "club", "progressive"]),
    st.integers(5, 23),
    st.sampled_from([(3, 4), (4, 4), (3, 3), (2, 2), (4, 5), (6, 10)]),
    st.integers(0, 99),
)
def test_nobody_sits_out_twice_before_everybody_has(kind, people, sizes, seed):
    least, most = sizes
    evening = evening_of(people, kind, seed=seed, least=least, most=most, rounds=7)
    for _ in range(7):
        evening = played(evening, draw(evening, seed))
        byes = [one for drawn in evening.rounds for one in drawn.byes]
        times = [byes.count(one) for one in evening.here]
        assert max(times) - min(times) <= 1


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(DRAWN), st.integers(8, 40), st.integers(0, 99))
def test_two_who_shall_not_meet_do_not(kind, people, seed):
    pairs = frozenset({(1, 2), (3, 4), (1, people)})
    evening = replace(evening_of(people, kind, rounds=3), apart=pairs)
    for _ in range(2):
        drawn = draw(evening, seed)
        for seating in drawn.tables:
            there = {tuple(sorted(two)) for two in combinations(seating.people, 2)}
            assert not there & pairs or len(drawn.tables) == 1
        evening = played(evening, drawn)


@pytest.mark.parametrize(
    ("people", "rounds"),
    [
        *((people, 5) for people in (15, 16, 18, 20, 23, 24, 26, 27, 31)),
        *((people, 7) for people in (32, 36)),
        *((people, 8) for people in (48, 52, 100)),
    ],
)
def test_in_a_club_night_nobody_meets_twice(people, rounds):
    evening = evening_of(people, "club", rounds=rounds)
    for seed in range(rounds):
        evening = played(evening, draw(evening, seed))
    assert max(meetings(evening).values()) == 1


def test_a_club_night_of_tables_of_three_moves_by_the_same_data():
    evening = evening_of(24, "club", rounds=7, least=3, most=3)
    for seed in range(7):
        evening = played(evening, draw(evening, seed))
    assert max(meetings(evening).values()) == 1
    assert {len(seating.people) for drawn in evening.rounds for seating in drawn.tables} == {3}


@pytest.mark.parametrize(
    ("tables", "rounds"),
    [
        *((tables, len(shifts)) for tables, shifts in MOVEMENTS.items()),
        *((tables, tables) for tables in (5, 7, 11, 13, 17, 19, 23, 25)),
        (4, 5),
    ],
)
def test_in_no_movement_anybody_meets_twice_or_has_no_seat(tables, rounds):
    moves = movement(tables, rounds)
    assert moves is not None
    assert len(moves) == rounds
    first = [[4 * table + seat for seat in range(4)] for table in range(tables)]
    met: set[tuple[int, int]] = set()
    for places in moves:
        groups = moved(first, places)
        assert sorted(one for group in groups for one in group) == list(range(4 * tables))
        assert all(len(group) == 4 for group in groups)
        pairs = [two for group in groups for two in combinations(sorted(group), 2)]
        assert not met.intersection(pairs)
        met.update(pairs)
    assert moved(first, moves[0]) == first


def test_the_data_knows_every_number_of_tables_at_which_the_rainbow_fails_in_five_rounds():
    fails = [tables for tables in range(5, 101) if rainbow_rounds(tables) < 5]
    assert fails == [6, 8, 9, 12, 16]
    assert all(len(MOVEMENTS[tables]) >= 5 for tables in fails)


def test_where_no_movement_is_known_the_search_seats_everybody():
    assert movement(6, 6) is None
    evening = evening_of(24, "club", rounds=6)
    for seed in range(6):
        evening = played(evening, draw(evening, seed))
        assert seated(evening.rounds[-1]) == list(range(1, 25))


def test_four_hundred_people_are_drawn_with_little_work_and_meet_nobody_twice(monkeypatch):
    """The search of a round looks at a few hundred swaps, and does not use up its effort."""
    looked = 0
    best_change = _Search.best_change

    def counted(search, *asked):
        nonlocal looked
        looked += 1
        return best_change(search, *asked)

    monkeypatch.setattr(_Search, "best_change", counted)
    evening = evening_of(400)
    for seed in range(8):
        looked = 0
        evening = played(evening, draw(evening, seed))
        assert looked < EFFORT // 400
    assert max(meetings(evening).values()) == 1


@pytest.mark.parametrize("kind", ["swiss", "club"])
@pytest.mark.parametrize("people", [6, 7, 8, 9])
def test_in_a_small_hall_nobody_meets_again_more_often_than_they_must(kind, people):
    """Beside the search stands everything that is possible, tried one by one."""
    for seed in range(3):
        evening = evening_of(people, kind, seed=seed)
        for _ in range(4):
            met, drawn = meetings(evening), draw(evening, seed)
            groups = [seating.people for seating in drawn.tables]
            playing = sorted(one for group in groups for one in group)
            possible = least_again(playing, sorted(map(len, groups)), met)
            assert sum(again(group, met) for group in groups) == possible
            evening = played(evening, drawn)


def test_nine_people_meet_nobody_twice_in_four_rounds():
    for seed in range(10):
        evening = evening_of(9, seed=seed)
        for _ in range(4):
            evening = played(evening, draw(evening, seed))
        assert set(meetings(evening).values()) == {1}


def again(group: Iterable[int], met: Mapping[tuple[int, int], int]) -> int:
    """What it costs that these sit together: who has met twice weighs more than two who met."""
    return sum(met.get(two, 0) ** 2 for two in combinations(sorted(group), 2))


def least_again(
    people: Sequence[int], sizes: Sequence[int], met: Mapping[tuple[int, int], int]
) -> int:
    """Try every way to seat people at tables of these sizes, and give the least that it costs."""
    if not people:
        return 0
    first, *others = people
    return min(
        again(group, met) + least_again([one for one in people if one not in group], rest, met)
        for size in set(sizes)
        for rest in [[*sizes[: sizes.index(size)], *sizes[sizes.index(size) + 1 :]]]
        for group in ((first, *beside) for beside in combinations(others, size - 1))
    )


def test_in_the_swiss_way_the_winners_meet():
    evening = played(evening_of(16), draw(evening_of(16), 1))
    winners = {line.person for line in standing(evening) if line.points == 4}
    (table,) = (seating for seating in draw(evening, 1).tables if set(seating.people) & winners)
    assert set(table.people) == winners


def test_in_the_progressive_way_the_winner_goes_up_and_the_last_goes_down():
    evening = evening_of(12, "progressive")
    first = draw(evening, 1)
    evening = played(evening, first)
    second = draw(evening, 1)
    best, last = min(first.tables[1].people), max(first.tables[1].people)
    assert best in second.tables[0].people
    assert last in second.tables[2].people
    assert min(first.tables[0].people) in second.tables[0].people


def test_in_a_knockout_the_first_two_of_each_table_go_on_to_one_final():
    evening = evening_of(16, "knockout")
    first = draw(evening, 1)
    evening = played(evening, first)
    second = draw(evening, 2)
    assert seated(second) == sorted(one for s in first.tables for one in sorted(s.people)[:2])
    evening = played(evening, second)
    evening = played(evening, draw(evening, 3))
    with pytest.raises(NoDraw, match="final"):
        draw(evening, 4)


def test_in_a_knockout_the_winner_of_the_final_stands_first():
    """Also before somebody with more points, who had won all tables but the last one."""
    evening = evening_of(16, "knockout")
    for number in (1, 2):
        evening = played(evening, draw(evening, number))
    final = draw(evening, 3)
    winner = max(seated(final))
    places = tuple(MatchTotal(one, int(one == winner)) for one in seated(final))
    result = Result(1, 0, "", 0, "finished", "classic", places, round=3)
    evening = apply(apply(evening, RoundDrawn(final)), ResultWritten(result))
    lines = standing(evening)
    assert lines[0].person == winner
    assert (lines[0].points, lines[0].scored) < (lines[1].points, lines[1].scored)
    assert {line.person for line in lines[:4]} == set(seated(final))
    assert [line.reached for line in lines] == [3] * 4 + [2] * 4 + [1] * 8


@pytest.mark.parametrize(("people", "left"), [(8, [8, 4, 2]), (7, [7, 4, 2]), (3, [3, 2])])
def test_in_a_knockout_at_tables_of_two_the_winner_goes_on(people, left):
    evening = evening_of(people, "knockout", least=2, most=2)
    for number, there in enumerate(left, 1):
        drawn = draw(evening, number)
        assert len(seated(drawn)) == there
        evening = played(evening, drawn)
    with pytest.raises(NoDraw, match="final"):
        draw(evening, len(left) + 1)


def test_finalists_can_be_chosen_by_hand():
    evening = played(evening_of(16, "knockout"), draw(evening_of(16, "knockout"), 1))
    assert seated(draw(evening, 1, [5, 6, 7, 8])) == [5, 6, 7, 8]


def test_the_standing_shows_its_sums():
    evening = evening_of(8)
    for seed in range(3):
        evening = played(evening, draw(evening, seed))
    lines = standing(evening)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    for line in lines:
        assert line.points == sum(score.points for score in line.scores)
        assert line.scored == sum(score.scored for score in line.scores)
