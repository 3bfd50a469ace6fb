"""The referee takes away everything in one file, or a report with no name in it."""

from __future__ import annotations

import io
import threading
import zipfile

import pytest

from companion.assembly.downloads import DownloadBusy, Downloads, NotMade
from companion.journal.verify import verify
from companion.keeping.restore import restore


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
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> bytes:
        begun.set()
        go_on.wait(10)
        return b"file"

    files = Downloads({"slow": slow})
    made: list[bytes] = []
    first = threading.Thread(target=lambda: made.append(files.make("slow")))
    first.start()
    assert begun.wait(10)
    with pytest.raises(DownloadBusy):
        files.make("slow")
    go_on.set()
    first.join()
    assert made == [b"file"]
    with pytest.raises(NotMade):
        files.make("other")
