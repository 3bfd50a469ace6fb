"""The support bundle: what someone who helps needs to know, and no name of anybody."""

from __future__ import annotations

import io
import json
import re
import socket
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.care.doctor import Finding
from companion.common.clock import written
from companion.common.log_file import tail
from companion.common.spellings import spellings
from companion.journal.chain import read_head
from companion.journal.file import JournalError, reader
from companion.journal.names import find_names
from companion.journal.opening import JOURNAL
from companion.journal.spans import beginnings, count_kinds
from companion.keeping.folder_files import HALL, FileKind, found, places

LOG_LINES = 1000
SHORT = 2
"""Names up to so many letters are replaced as whole words only, or no word would stay readable."""
HOME_LEFT_OUT = ("user", "password", "password_file", "ca_file", "client_id")
READ_ME = """\
This bundle was made to find out what is wrong with a table. It holds versions, the configuration,
what the doctor found, the end of the log, and counts of what is in the journal. Names of players,
of this machine and of its user were replaced; look through it before you send it.
"""


def bundle(folder: Path, said: Mapping[str, Any] | None, findings: Sequence[Finding]) -> bytes:
    """Pack everything that helps into one file; `said` is what the configuration says."""
    scrub = Scrubber(names_at(folder), _of_the_home(said))
    doctor = "".join(f"{one.state:4}  {one.about}: {one.sentence}\n" for one in findings)
    files = {
        "README.txt": READ_ME,
        "doctor.txt": scrub(doctor),
        "configuration.json": _written(scrub.within(_discreet(said))),
        "journal.json": _written(scrub.within(statistics(folder))),
        **_of_the_hall(folder / HALL, scrub),
        "files.json": _written(scrub.within(_files(folder))),
        "log.txt": scrub("\n".join(tail(folder, LOG_LINES)) + "\n"),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


class Scrubber:
    """Replaces every name, however it is written, by the same stand-in each time."""

    def __init__(self, names: Iterable[str], others: Mapping[str, str] | None = None) -> None:
        stand_ins = {name: f"player-{n}" for n, name in enumerate(sorted(set(names)), start=1)}
        host = socket.gethostname()
        stand_ins |= {name: "this-machine" for name in (host, host.partition(".")[0]) if name}
        stand_ins |= others or {}
        stand_ins |= {str(Path.home()): "~"} if len(Path.home().parts) > 1 else {}
        self._stand_ins = {
            way: stand_in for name, stand_in in stand_ins.items() for way in spellings(name)
        }
        longest_first = sorted(self._stand_ins, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_pattern, longest_first)) or r"(?!)", re.IGNORECASE)
        self._folded = {way.casefold(): name for way, name in self._stand_ins.items()}

    def __call__(self, text: str) -> str:
        """Write a text without the names."""
        return self._pattern.sub(lambda found: self._folded.get(found[0].casefold(), "name"), text)

    def within(self, value: Any) -> Any:
        """Write every text in a value without the names; numbers stay."""
        match value:
            case str():
                return self(value)
            case Mapping():
                return {self(str(key)): self.within(one) for key, one in value.items()}
            case list():
                return [self.within(one) for one in value]
            case _:
                return value


def _pattern(way: str) -> str:
    if len(way) > SHORT:
        return re.escape(way)
    before = r"(?<!\w)" if way[0].isalnum() else ""
    after = r"(?!\w)" if way[-1].isalnum() else ""
    return f"{before}{re.escape(way)}{after}"


def names_at(folder: Path) -> set[str]:
    """Collect every name that was ever used at this table, also from journals that are damaged."""
    names: set[str] = set()
    for file in _journals(folder):
        with suppress(OSError):
            names |= find_names(file.read_bytes())
    return {name for name in names if name.strip()}


def statistics(folder: Path) -> dict[str, Any]:
    """Count what is in the journal."""
    kinds: Counter[str] = Counter()
    path = folder / JOURNAL
    told: dict[str, Any] = {"events": 0}
    try:
        with closing(reader(path)) as connection:
            (told["format"],) = connection.execute("PRAGMA user_version").fetchone()
            told["events"] = read_head(connection).version
            counted = "SELECT count(command), min(moment), max(moment) FROM events"
            told["commands"], *moments = connection.execute(counted).fetchone()
            told["matches"] = len(beginnings(connection))
            told["first"], told["last"] = (one and written(one) for one in moments)
            kinds.update(count_kinds(connection))
    except (JournalError, sqlite3.Error, OSError) as trouble:
        told["trouble"] = str(trouble)
    return {**told, "kinds": dict(kinds.most_common())}


def _of_the_hall(folder: Path, scrub: Scrubber) -> dict[str, str]:
    """Count what is in the journal of a hall, where this machine has one."""
    if not (folder / JOURNAL).exists():
        return {}
    return {"hall.json": _written(scrub.within(statistics(folder)))}


def _files(folder: Path) -> dict[str, int]:
    """List the files of the data folder and their sizes."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.stat().st_size for path in sorted(paths)}


def _journals(folder: Path) -> list[Path]:
    kinds: tuple[FileKind, ...] = ("journal", "copy", "aside", "scratch")
    every = (path for place in places(folder) for kind in kinds for path in found(place, kind))
    return [path for path in every if path.is_file()]


def _discreet(said: Mapping[str, Any] | None) -> Any:
    """Leave out of the configuration what names a place or a person."""
    if said is None:
        return "It cannot be read."
    return _without(said, {"host", "name", "names", "folder", *HOME_LEFT_OUT})


def _of_the_home(said: Mapping[str, Any] | None) -> dict[str, str]:
    """Find the broker's address and names that a log might repeat, and what stands for them."""
    home = said.get("home") if said is not None else None
    if not isinstance(home, Mapping):
        return {}
    left_out = {key: home.get(key) for key in ("host", *HOME_LEFT_OUT)}
    return {
        value: f"home-{key}" for key, value in left_out.items() if isinstance(value, str) and value
    }


def _without(value: Any, keys: set[str]) -> Any:
    match value:
        case Mapping():
            return {
                str(key): "left out" if key in keys else _without(one, keys)
                for key, one in value.items()
            }
        case list():
            return [_without(one, keys) for one in value]
        case _:
            return value


def _written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n"
