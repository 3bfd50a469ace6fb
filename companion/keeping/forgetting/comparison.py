"""The check before anything is put in place: nothing may differ but what was to be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.keeping.forgetting.names import Renaming
from companion.referee.model.table import Step, Table


class Unlike(Exception):
    """Something else would be changed too, so nothing is."""


def compare(about: str, old: Any, new: Any, renaming: Renaming) -> None:
    """Compare two plain values part by part; texts may differ by the forgotten names alone."""
    match old, new:
        case dict(), dict() if old.keys() == new.keys():
            for key in old:
                compare(about, old[key], new[key], renaming)
        case ((list() | tuple()), (list() | tuple())) if len(old) == len(new):
            for one, other in zip(old, new, strict=True):
                compare(about, one, other, renaming)
        case str(), str() if renaming.explains(old, new):
            pass
        case _ if type(old) is not type(new) or old != new:
            raise Unlike(about)


def compare_tables(
    old: Table, new: Table, renaming: Renaming, gone: int | None, steps: int | None = None
) -> None:
    """Compare what two replays have come to; `steps` is how far back the steps are compared.

    The way back may end sooner than it did, because nobody goes back into what is gone.
    """
    if len(new.evidence) > len(old.evidence):
        raise Unlike("the presses")
    if set(new.forgotten) != {*old.forgotten, *([] if gone is None else [gone])}:
        raise Unlike("the matches that are gone")
    kept = old.evidence[len(old.evidence) - len(new.evidence) :]
    before = replace(old, past=None, future=None, evidence=kept, forgotten=new.forgotten)
    after = replace(new, past=None, future=None)
    compare("the table", _plain(before), _plain(after), renaming)
    for way_old, way_new in ((old.past, new.past), (old.future, new.future)):
        pairs = zip_longest(islice(_steps(way_old), steps), islice(_steps(way_new), steps))
        for step_old, step_new in pairs:
            if step_new is None:
                break
            if step_old is None:
                raise Unlike("the steps to take back")
            compare("a step to take back", _plain(step_old), _plain(step_new), renaming)


def _steps(step: Step | None) -> Iterator[Step]:
    while step is not None:
        yield replace(step, below=None)
        step = step.below


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value, str_keys=True)
