"""The bodies of events are packed, and come back as they were."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from companion.journal.bodies import PHRASES, pack, unpack
from companion.journal.file import FORMAT


@given(st.binary(max_size=5_000))
def test_whatever_is_packed_comes_back(body: bytes) -> None:
    assert unpack(pack(body)) == body


def test_what_an_event_says_takes_a_third_of_the_room() -> None:
    said = b'{"entry":{"number":17,"at":1010824000000,"command":{"kind":"play","card":"red-5"}}}'
    assert len(pack(said)) * 3 < len(said)


def test_the_phrases_belong_to_the_format() -> None:
    """Journals of this format cannot be read with others: with new phrases comes a new format."""
    assert (FORMAT, hashlib.sha256(PHRASES).hexdigest()[:16]) == (3, "1d5f47622d0e1f0b")
