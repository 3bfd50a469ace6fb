"""Bodies: what an event says, without the names in it, packed small.

Nearly all events have most of their words in common.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, get_args

import msgspec

from companion.journal.names import NAMED, TELLING, Names, names_of_event, put_in, take_out
from companion.referee import events as e
from companion.referee.sentences import packed, unpacked

WINDOW, MEMORY = -12, 5
"""As little as a text of a few hundred bytes needs."""

PHRASES = (
    b',"card":"blue-draw","title":"Draw Two"}],"at":","outcome":"called","sentence":["called_b'
    b'efore",{"name":[],"card":"blue-draw","title":"blue Draw Two"}],"at":,"command":{"kind":"'
    b'play","card":"blue-draw","seat":,"card":"green-draw","title":"Draw Two"}],"at":,"card":"'
    b'street-race"}},"doubt":],"card":"blue-reverse","title":"blue Reverse"}],"at":,"command":'
    b'{"kind":"play","card":"blue-reverse","seat":,"card":"red-draw","title":"Draw Two"}],"at"'
    b':],"card":"green-skip","title":"green Skip"}],"at":],"margin":],"card":"red-skip","title'
    b'":"red Skip"}],"at":],"card":"red-reverse","title":"red Reverse"}],"at":,"command":{"kin'
    b'd":"play","card":"green-skip","seat":,"command":{"kind":"play","card":"green-draw","seat'
    b'":,"command":{"kind":"play","card":"red-reverse","seat":],"card":"green-draw","title":"g'
    b'reen Draw Two"}],"at":,"left":{"points":],"card":"red-draw","title":"red Draw Two"}],"at'
    b'":],"card":"green-reverse","title":"green Reverse"}],"at":,"command":{"kind":"play","car'
    b'd":"green-reverse","seat":,"command":{"kind":"play","card":"red-skip","seat":,"command":'
    b'{"kind":"play","card":"red-draw","seat":","outcome":"scored","sentence":["scored_classic'
    b'",{"name":[],"draws":[],"back":[],"house":[],"evidence":null,"overruled":null}},"command'
    b'":{"kind":"play","card":"yellow-reverse","seat":],"state":"ruled","deadline":],"card":"y'
    b'ellow-reverse","title":"yellow Reverse"}],"at":}}],"called":{"},"seat":],"draws":[],"bac'
    b'k":[],"house":["wrong_catch_draws"],"evidence":{"type":"calling","seat":],"draws":[],"ba'
    b'ck":[],"house":[],"evidence":{"type":"count","points":{"{"label":["step_name_colour",{"n'
    b'ame":[","colour":"yellow","insisted":null},"overruled":null}}},"was":[,"source":"button"'
    b',"released_at":null}},"closed":[{"number":],"card":"wild","title":"Wild"}],"at":","outco'
    b'me":"last","sentence":["race_last",{"name":[}],"outcome":"last","finish":{"type":"finish'
    b'","layer":,"places":[{"seat":","colour":"red","insisted":null},"overruled":null}},"sourc'
    b'e":"button","released_at":null},{"seat":,"command":{"kind":"play","card":"wild-draw","se'
    b'at":],"card":"wild-draw","title":"Wild Draw Four"}],"at":","colour":"blue","insisted":nu'
    b'll},"overruled":null}},"command":{"kind":"play","card":"wild","seat":","colour":"green",'
    b'"insisted":null},"overruled":null}}{"calls":{"closed":[{"number":],"card":"street-race",'
    b'"title":"Street Race"}],"at":{"label":["step_enter_hand",{"name":[,"record":,"command":{'
    b'"kind":"play","card":"street-race","seat":,"behind":null,"handicap":}},{"number":],"card'
    b'":"red-}],"back":[],"house":[],"evidence":{"type":"finish","layer":],"card":"blue-},"aft'
    b'er":","title":"red ,"named_at":],"card":"green-","title":"blue ,"pressed_at":","title":"'
    b'green ],"card":"yellow-,"slaps":[{"seat":,"no_slap":false,"early":[],"hammered":[],"gaps'
    b'":[],"unusable":[],"by_handicap":false},"ruling":","title":"yellow ],"cards":],"draws":['
    b'{"seat":","outcome":"skipped","sentence":["skipped",{"name":[{"press":{"seat":]}],"at":"'
    b',"outcome":"reversed","sentence":"reversed","at":,"rule":"R{"race":{"anchor":,"early":fa'
    b'lse,"hammered":false}],"last":[,"no_slap":false,"early":[],"hammered":[],"gaps":[],"unus'
    b'able":[],"by_handicap":false},"overruled":null}},"press":{"seat":","outcome":"hit","sent'
    b'ence":["hit",{"name":[{"calls":{"window":{"number":{"label":["step_drawn",{"name":[],"st'
    b'ate":"running","deadline":,"command":{"kind":"drawn","debt":,"how":"card","racers":[,"so'
    b'urce":"button","released_at":null}],"due":,"cards":,"seats":[],"draws":[],"back":[],"hou'
    b'se":[],"evidence":{"type":"laid_card","seat":,"command":{"kind":"play","card":"red-}],"b'
    b'ack":[],"house":[],"evidence":{"type":"laid_card","seat":{"label":["step_draw",{"name":['
    b',"command":{"kind":"play","card":"blue-,"command":{"kind":"play","card":"green-"}],"at":'
    b',"command":{"kind":"draw","seat":,"early":false,"hammered":false},{"seat":,"command":{"k'
    b'ind":"play","card":"yellow-,"call":{"seat":{"ruling":{"number":,"source":"button","relea'
    b'sed_at":null}},"left":,"seat":,"uncertainty":{"turn":{"number":{"seat":{"entry":{"number'
    b'":,"at":,"source":"button","released_at":{"label":["step_play",{"name":['
)
"""What is often said, the most frequent last. A journal cannot be read with any other phrases, so a
change to them raises the journal's format."""

FREQUENT = frozenset(
    {
        "step_taken",
        "press_recorded",
        "press_released",
        "entered",
        "card_kept",
        "turn_moved",
        "card_played",
        "cards_drawn",
        "calls_read",
        "race_read",
        "ruling_given",
    }
)
"""The kinds that fill the matches: a whole journal is never searched for them."""

_packer = zlib.compressobj(6, zlib.DEFLATED, WINDOW, MEMORY, zdict=PHRASES)
_encoder = msgspec.json.Encoder(enc_hook=packed)
_decoders: dict[str, msgspec.json.Decoder[Any]] = {}
_HEADING: dict[type[e.EventBase], int] = {}
_KIND_BY_NUMBER: dict[int, str] = {}


def pack(body: bytes) -> bytes:
    """Make a body small."""
    packer = _packer.copy()
    return packer.compress(body) + packer.flush()


def unpack(small: bytes) -> bytes:
    """Give a body back as it was; raises zlib.error where it was never one."""
    unpacker = zlib.decompressobj(WINDOW, zdict=PHRASES)
    return unpacker.decompress(small) + unpacker.flush()


def kind_number(kind: str) -> int:
    """Tell the small number under which the file keeps a kind of event; no list has to be kept.

    Of those that fill the matches it is below zero, and they are in no index.
    """
    number = int.from_bytes(blake2b(kind.encode(), digest_size=2).digest(), "big") >> 1
    return -number if kind in FREQUENT else number


def keep_kinds(kinds: Iterable[type[e.EventBase]]) -> None:
    """Let journals hold these kinds of events: a table's, and the hall's where it is open."""
    for kind in kinds:
        tag = str(kind.__struct_config__.tag)
        _decoders[tag] = msgspec.json.Decoder(kind, dec_hook=unpacked)
        _HEADING[kind] = len(f'{{"event":"{tag}"')
        if _KIND_BY_NUMBER.setdefault(kind_number(tag), tag) != tag:
            raise TypeError(f"Another kind of events has the number of {tag}: name it otherwise.")
        if issubclass(kind, e.Naming):
            NAMED.add(tag)
            TELLING.add(tag)


keep_kinds(kind for family in get_args(e.Event) for kind in get_args(family) or (family,))


def kind_of(number: int) -> str | None:
    """Tell the kind that the file keeps under this number; none where there is no such kind."""
    return _KIND_BY_NUMBER.get(number)


def encoded(event: e.EventBase) -> tuple[str, bytes, Names]:
    """Write an event as the journal keeps it: its kind, what it says, and the names in it."""
    kind = str(event.__struct_config__.tag)
    names = names_of_event(event) if kind in NAMED else {}
    text = _encoder.encode(take_out(event) if names else event)
    return kind, pack(b"{" + text[_HEADING[type(event)] :].lstrip(b",")), names


def encoded_all(events: Iterable[e.EventBase]) -> list[tuple[str, bytes, Names]]:
    """Write events as the journal keeps them."""
    return [encoded(event) for event in events]


def decoded(kind: str, body: bytes, names: Names) -> e.Event:
    """Read an event as the journal keeps it."""
    event: e.Event = _decoders[kind].decode(unpack(body))
    return put_in(event, names) if kind in NAMED else event
