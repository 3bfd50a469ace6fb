"""The referee takes away everything in one file, or a report with no name in it."""

from __future__ import annotations

import io
import zipfile

import pytest

from companion.assembly.downloads import DownloadBusy, Downloads, NotMade, download_makers
from companion.journal.damage.verify import verify
from companion.keeping.restore import restore
from companion.settings.configuration import examine


def test_the_referee_gets_everything_and_another_table_goes_on_with_it(served, tmp_path):
    for name in ("Annelise", "Bartholomew"):
        served.do("sit", name=name)
    answer = served.get("/api/everything.zip")
    assert answer.status == 200, answer.body
    assert answer.headers["content-disposition"].startswith("attachment")
    file = tmp_path / "taken.zip"
    file.write_bytes(answer.body)
    restore(tmp_path / "other", file)
    assert verify(tmp_path / "other").problems == ()
    assert b"Annelise" in (tmp_path / "other" / "journal.db").read_bytes()

    report = served.get("/api/support.zip")
    assert report.status == 200, report.body
    with zipfile.ZipFile(io.BytesIO(report.body)) as files:
        texts = {name: files.read(name).decode() for name in files.namelist()}
    assert "The table runs and answers." in texts["doctor.txt"]
    assert not any(name in text for text in texts.values() for name in ("Annelise", "Bartholomew"))
    assert served.post("/api/sign-out", {}).status == 200
    served.cookie = None
    assert served.get("/api/everything.zip").status == 403
    assert served.get("/api/support.zip").status == 403


def test_one_file_is_made_at_a_time():
    files = Downloads({"file": lambda: iter([b"a ", b"file"]), "none": lambda: iter([])})
    first = files.make("file")
    assert next(first) == b"a "
    with pytest.raises(DownloadBusy):
        files.make("file")
    assert b"".join(first) == b"file"
    assert b"".join(files.make("file")) == b"a file"
    assert b"".join(files.make("none")) == b""
    with pytest.raises(NotMade):
        files.make("other")


def test_a_file_that_nobody_reads_to_its_end_is_in_nobodys_way():
    files = Downloads({"file": lambda: iter([b"a ", b"file"])})
    files.make("file").close()
    assert b"".join(files.make("file")) == b"a file"


def test_why_a_file_cannot_be_made_is_known_before_anything_is_sent(tmp_path):
    settings, _ = examine({"data": {"folder": str(tmp_path / "nowhere")}})
    files = Downloads(download_makers(None, settings))
    for _ in range(2):
        with pytest.raises(NotMade, match="no journal"):
            files.make("everything")
