"""Files on their way to a browser: small for who can unpack them, the same for everyone."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from web.transport.compression import KEPT, PIECE, Compression, compressed_pieces

SCRIPT = "export const seats = [];\n" * 400
GZIP = {"Accept-Encoding": "gzip, deflate"}


def written() -> Response:
    return Response(iter([SCRIPT] * 50), mimetype="text/csv")


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    (tmp_path / "felt.js").write_text(SCRIPT)
    (tmp_path / "cloth.png").write_bytes(bytes(2000))
    app = Flask(__name__, static_folder=tmp_path, static_url_path="/static")
    app.after_request(Compression())
    app.add_url_rule("/short", "short", lambda: {"seats": []})
    app.add_url_rule("/long", "long", lambda: {"seats": SCRIPT})
    app.add_url_rule(
        "/written", "written", lambda: Response(iter([SCRIPT] * 50), mimetype="text/csv")
    )
    return app.test_client()


def test_a_script_goes_out_squeezed_and_is_the_same_unpacked(client: FlaskClient) -> None:
    for _ in range(2):
        answer = client.get("/static/felt.js", headers=GZIP, buffered=True)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert int(answer.headers["Content-Length"]) == len(answer.data) < len(SCRIPT) / 20
        assert gzip.decompress(answer.data).decode() == SCRIPT


def test_an_answer_goes_out_squeezed_where_that_is_worth_it(client: FlaskClient) -> None:
    assert "Content-Encoding" not in client.get("/short", headers=GZIP).headers
    answer = client.get("/long", headers=GZIP)
    assert json.loads(gzip.decompress(answer.data)) == {"seats": SCRIPT}
    assert client.get("/long").json == {"seats": SCRIPT}


def test_a_long_answer_is_squeezed_while_it_is_written(client: FlaskClient) -> None:
    answer = client.get("/written", headers=GZIP)
    assert gzip.decompress(answer.data).decode() == SCRIPT * 50
    assert client.get("/written").text == SCRIPT * 50


def test_what_is_written_is_neither_kept_nor_held_back() -> None:
    read: list[int] = []

    def matches() -> Iterator[bytes]:
        for number in range(1000):
            read.append(number)
            yield random.Random(number).randbytes(1000)

    pieces = compressed_pieces(matches())
    assert len(next(pieces)) < 2 * PIECE
    assert len(read) < 40


def test_who_cannot_unpack_gets_it_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/static/felt.js", buffered=True)
    assert "Content-Encoding" not in answer.headers
    assert answer.text == SCRIPT


def test_a_picture_is_left_alone(client: FlaskClient) -> None:
    assert (
        "Content-Encoding"
        not in client.get("/static/cloth.png", headers=GZIP, buffered=True).headers
    )


def test_what_a_browser_has_kept_is_not_sent_again(client: FlaskClient) -> None:
    etag = client.get("/static/felt.js", headers=GZIP, buffered=True).headers["ETag"]
    again = client.get("/static/felt.js", headers={**GZIP, "If-None-Match": etag}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


def test_a_changed_file_is_squeezed_anew(client: FlaskClient, tmp_path: Path) -> None:
    client.get("/static/felt.js", headers=GZIP, buffered=True)
    (tmp_path / "felt.js").write_text("// another release")
    os.utime(tmp_path / "felt.js", (1, 1))
    answer = client.get("/static/felt.js", headers=GZIP, buffered=True)
    assert gzip.decompress(answer.data) == b"// another release"


def test_memory_is_spent_on_a_few_files_only(client: FlaskClient, tmp_path: Path) -> None:
    compressed = Compression()
    for number in range(3 * KEPT):
        compressed._compressed(f"file {number}", b"text")
    assert len(compressed._kept) <= KEPT
