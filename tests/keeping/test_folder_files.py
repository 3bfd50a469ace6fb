"""One list names every file that the project can leave in a data folder; forgetting walks it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.care.support import names_at
from companion.keeping import backups
from companion.keeping.folder_files import FILES, found
from companion.keeping.forgetting.forgetting import Forgetting
from companion.keeping.forgetting.plan import ForgetWish
from companion.keeping.restore import begin_anew, restore
from companion.referee import commands as c
from tests.kit.folder import unlisted
from tests.kit.night import Night

ROOT = Path(__file__).parents[2]


def test_every_file_of_a_busy_folder_is_in_the_list(folder: Path) -> None:
    copy = backups.make(folder, "asked")
    restore(folder, copy)
    (folder / "journal.db").write_bytes(b"damaged")
    with Night(folder) as night:
        night.do(c.Sit("Zoe"))
        assert unlisted(folder) == []
    begin_anew(folder)
    assert unlisted(folder) == []


def test_a_forgotten_name_is_in_no_file_of_the_list(folder: Path) -> None:
    """As it was found: journal.db.of-before-*, left by a failed upgrade, was missed."""
    with Night(folder) as night:
        night.do(c.CloseMatch())
        night.do(c.Sit("Mallory", 4))
        night.do(c.Stand(4))
    backups.make(folder, "asked")
    for name in ("journal.db.of-before-0.2.0-20261117T000000Z", "journal-rescued-1.db"):
        shutil.copy2(folder / "journal.db", folder / name)
    for name in ("journal.db.back", "journal.db.new"):
        shutil.copy2(folder / "journal.db", folder / name)
    assert "Mallory" in names_at(folder)
    outcome = Forgetting(folder).forget(ForgetWish(name="Mallory"), remove=True)
    assert "journal.db.of-before-0.2.0-20261117T000000Z" in outcome.removed
    held = [
        file.name
        for kind in FILES
        for file in found(folder, kind)
        if file.is_file() and b"Mallory" in file.read_bytes()
    ]
    assert held == []


def test_every_copy_of_the_list_can_be_restored(folder: Path) -> None:
    backups.make(folder, "asked")
    (copy,) = found(folder, "copy")
    for pattern in FILES["copy"]:
        shutil.copy2(copy, folder / pattern.replace("*", "20261117", 1).replace("*", ""))
    (folder / "journal-replaced-20261117").rename(folder / "journal-replaced-20261117.db")
    (folder / "journal-rescued-20261117").rename(folder / "journal-rescued-20261117.db")
    listed = backups.listed(folder)
    assert {one.kind for one in listed} == backups.KINDS.keys()
    assert {one.path for one in listed} == set(found(folder, "copy"))


def test_what_the_installed_table_leaves_lies_in_the_one_folder_that_a_purge_removes() -> None:
    unit = (ROOT / "systemd" / "table-companion.service").read_text("utf-8")
    script = (ROOT / "systemd" / "uninstall").read_text("utf-8")
    removed = re.search(r'purge" = yes.*?remove "([^"]+)"', script, re.S)
    assert removed is not None
    assert f"--data {removed[1].replace('$name', 'table-companion')}\n" in unit
    outside = [
        pattern
        for patterns in FILES.values()
        for pattern in patterns
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts
    ]
    assert outside == []
