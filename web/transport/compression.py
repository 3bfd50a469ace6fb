"""Compression: a file is compressed once, a long answer while it is written."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Response, request

TEXTS = ("text/", "application/json", "image/svg+xml")
KEPT = 128
WORTH_IT = 512
"""Bytes."""
QUICKLY = 1
"""The level for what is compressed while somebody waits."""
GZIP = 16 + zlib.MAX_WBITS
PIECE = 16 * 1024


class Compression:
    """Compresses answers on their way out; other clients get them as they are."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def __call__(self, response: Response) -> Response:
        """Change an answer that is a text."""
        if response.status_code != 200 or response.content_encoding:
            return response
        if not (response.mimetype or "").startswith(TEXTS):
            return response
        etag, _ = response.get_etag()
        written = etag is None and response.is_streamed
        if etag is None and not written and len(response.get_data()) < WORTH_IT:
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings["gzip"] > 0:
            return response
        response.content_encoding = "gzip"
        if etag is not None:
            response.direct_passthrough = False
            response.set_data(self._compressed(f"{etag} {request.path}", response.get_data()))
            # The same file in another shape, so the name only promises that it means the same.
            response.set_etag(etag, weak=True)
        elif written:
            response.response = compressed_pieces(response.iter_encoded())
            response.headers.pop("Content-Length", None)
        else:
            response.set_data(gzip.compress(response.get_data(), QUICKLY, mtime=0))
        return response

    def _compressed(self, name: str, body: bytes) -> bytes:
        compressed = self._kept.get(name)
        if compressed is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            compressed = self._kept[name] = gzip.compress(body, mtime=0)
        return compressed


def compressed_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress a long answer while it is written; small pieces are sent together."""
    packer = zlib.compressobj(QUICKLY, wbits=GZIP)
    waiting = b""
    for piece in pieces:
        waiting += packer.compress(piece)
        if len(waiting) >= PIECE:
            yield waiting
            waiting = b""
    yield waiting + packer.flush()
