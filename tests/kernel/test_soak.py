"""The soak goes on where it was interrupted, and says so when anything was wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import convert

from tests.kernel.soak import Part, Progress, run
from tests.kernel.verdicts import Seen


class Machines:
    """Machines that play at once, up to the one that is switched off."""

    def __init__(self, until: int | None = None, **seen: int) -> None:
        self.played: list[tuple[int, int]] = []
        self._until = until
        self._seen = seen

    def play(self, seed: int, number: int) -> Part:
        if len(self.played) == self._until:
            raise KeyboardInterrupt
        self.played.append((seed, number))
        seen = convert({"races": 40, **self._seen}, Seen)
        return Part(seed, number, {"gpiod idle plain": seen})


def test_an_interrupted_run_goes_on_with_the_next_part(tmp_path: Path, capsys) -> None:
    file = tmp_path / "soak.jsonl"
    first, second = Machines(until=4), Machines()
    with pytest.raises(KeyboardInterrupt):
        run(Progress(file), 300, first.play)
    assert run(Progress(file), 300, second.play) == 0
    assert first.played == [(1, 0), (2, 0), (3, 0), (1, 1)]
    assert second.played == [(2, 1), (3, 1), (1, 2), (2, 2)]
    said = capsys.readouterr().out
    assert "Going on after 160 races." in said
    assert "320 of 300 races are played." in said


def test_a_finished_run_only_prints_its_table(tmp_path: Path, capsys) -> None:
    file = tmp_path / "soak.jsonl"
    run(Progress(file), 100, Machines().play)
    again = Machines()
    run(Progress(file), 100, again.play)
    assert again.played == []
    *_, last = capsys.readouterr().out.splitlines()
    assert last.split()[:2] == ["all", "120"]


def test_a_line_that_was_torn_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    run(Progress(file), 80, Machines().play)
    kept = file.read_bytes()
    file.write_bytes(kept[:-20])
    again = Machines()
    run(Progress(file), 80, again.play)
    assert again.played == [(2, 0)]
    assert file.read_bytes() == kept


@pytest.mark.parametrize(
    "seen", ["wrong_last", "wrong_order", "contradicted", "missing", "extra", "aside"]
)
def test_whatever_is_wrong_is_counted(tmp_path: Path, seen: str) -> None:
    assert run(Progress(tmp_path / "soak.jsonl"), 40, Machines(**{seen: 1}).play) == 1
