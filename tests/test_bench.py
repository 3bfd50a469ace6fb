"""The bench in a tiny size: that it measures what it says, not how fast this machine is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.figure import Figure
from bench.ground import CannotMeasure, Ground, play_past
from bench.registry import BENCHES, Bench
from companion.journal.damage.verify import verify
from companion.journal.opening import JOURNAL
from companion.past.past import Past


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.name)
def test_each_bench_gives_figures_from_one_run(bench: Bench, tmp_path: Path) -> None:
    # A thread of its own, because the browser of the page's tests keeps this one's event loop.
    with ThreadPoolExecutor(1) as aside:
        measuring = aside.submit(lambda: list(bench.figures(Ground(tmp_path, tiny=True))))
        try:
            figures = measuring.result()
        except CannotMeasure as why:
            pytest.skip(str(why))
    assert figures
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert 0 < figure.ours < math.inf
        assert figure.other is None or 0 < figure.other < math.inf
        assert figure.mark is None or figure.verdict in ("met", "not met")


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        pytest.param(1.0, "met", id="cheaper than the mark"),
        pytest.param(1.1, "met", id="just on the mark"),
        pytest.param(1.11, "not met", id="dearer than the mark"),
    ],
)
def test_a_figure_is_held_against_its_mark(ours: float, verdict: str) -> None:
    figure = Figure.of_pairs("an event", [(ours, 1.0)], "µs", mark=1.1)
    assert figure.verdict == verdict
    assert figure.line().endswith(verdict)


def test_what_slowed_both_of_a_pair_down_leaves_the_ratio_alone() -> None:
    figure = Figure.of_pairs("an event", [(10, 10), (66, 60), (90, 80), (11, 10), (500, 10)], "µs")
    assert (figure.ours, figure.other) == (66, 10)
    assert figure.ratio == 1.1


def test_a_share_of_ours_is_held_against_the_same_share_of_the_other() -> None:
    pairs = [(float(ours), float(21 - ours)) for ours in range(1, 21)]
    assert Figure.of_share("a press", pairs, 0.5, "ms", mark=1.3).verdict == "met"
    late = Figure.of_share("a press", [*pairs, (90.0, 1.0)], 0.96, "ms", mark=1.3)
    assert (late.ours, late.other, late.verdict) == (90.0, 20.0, "not met")


def test_a_figure_without_a_counterpart_is_only_told() -> None:
    figure = Figure(name="matches", ours=20.5, unit="/s")
    assert figure.ratio is None
    assert figure.verdict == ""
    assert figure.line().split() == ["matches", "20.5", "-", "/s", "-", "-"]


def test_the_long_past_is_made_of_matches_that_were_won_and_closed(tmp_path: Path) -> None:
    play_past(tmp_path / "past", matches=5)
    verdict = verify(tmp_path / "past")
    assert verdict.problems == ()
    records = Past(tmp_path / "past" / JOURNAL).matches()
    assert [record.number for record in records] == [5, 4, 3, 2, 1]
    assert all(record.ended and record.sheet.winners for record in records)
    assert verdict.events >= 5 * 100, "a thousand of them must pass event 100,000"


def test_one_bench_alone_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--tiny", "--only", "simulation"])
    printed = capsys.readouterr().out
    asked = [bench.question for bench in BENCHES if bench.question in printed]
    assert asked == [bench.question for bench in BENCHES if bench.name == "simulation"]


def test_a_bench_that_breaks_off_leaves_the_others_to_be_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(_ground: Ground) -> Iterator[Figure]:
        yield Figure(name="the first figure", ours=1.0, unit="s")
        raise RuntimeError("No answer from the other side")

    def measures(_ground: Ground) -> Iterator[Figure]:
        yield Figure(name="the last figure", ours=2.0, unit="s", mark=3.0)

    benches = (Bench("one", "One?", breaks), Bench("two", "Two?", measures))
    monkeypatch.setattr("bench.__main__.BENCHES", benches)
    with pytest.raises(SystemExit, match=r"These broke off: one\.") as stopped:
        main(["--tiny"])
    assert stopped.value.code
    printed = capsys.readouterr()
    assert "the first figure" in printed.out
    assert "the last figure" in printed.out
    assert "1 of 1 marks met" in printed.out
    assert "No answer from the other side" in printed.err


def test_an_unknown_bench_is_refused_with_the_names_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--only", "luck"])
    assert stopped.value.code == 2
    assert "growth" in capsys.readouterr().err
