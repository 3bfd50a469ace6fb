"""Compression: what a page is made of goes out compressed, and each file is compressed once."""

from __future__ import annotations

import gzip

from flask import Response, request

TEXTS = ("text/", "application/json", "image/svg+xml")
KEPT = 128


class Squeezed:
    """Compresses files on their way out; who cannot unpack them gets them as they are."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def __call__(self, response: Response) -> Response:
        """Change an answer that is a whole file of text."""
        etag, _ = response.get_etag()
        if response.status_code != 200 or etag is None or response.content_encoding:
            return response
        if not (response.mimetype or "").startswith(TEXTS):
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] > 0:
            response.direct_passthrough = False
            response.set_data(self._squeeze(f"{etag} {request.path}", response.get_data()))
            response.content_encoding = "gzip"
            # The same file in another shape, so the name only promises that it means the same.
            response.set_etag(etag, weak=True)
        return response

    def _squeeze(self, name: str, body: bytes) -> bytes:
        squeezed = self._kept.get(name)
        if squeezed is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            squeezed = self._kept[name] = gzip.compress(body, mtime=0)
        return squeezed
