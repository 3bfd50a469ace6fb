"""Nonsense: requests and packets that nobody sends who means well, and none of which can count."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec

from companion.service.envelope import PERSON_KINDS
from tests.kit.served import envelope
from tests.web.access.test_access import WISHES

TOO_LONG = 40_000
JUNK: tuple[Any, ...] = (None, [], {}, 0, -1, 1.5, True, "", "x", "é" * 99, {"a": {"b": [1]}})


def text(chance: random.Random, longest: int = 80) -> str:
    return "".join(chr(chance.randrange(32, 0x3000)) for _ in range(chance.randrange(1, longest)))


def noise(chance: random.Random, longest: int = 200) -> bytes:
    return chance.randbytes(chance.randrange(1, longest))


def deep(chance: random.Random) -> str:
    return chance.choice("[{")[0].replace("{", '{"a":') * chance.randrange(1, 7000)


def spoilt(chance: random.Random) -> dict[str, Any]:
    """A command that looks right and is wrong in one place, and not by its state."""
    kind = chance.choice(sorted(WISHES))
    body = envelope(kind, **WISHES[kind])
    required = [
        field.encode_name
        for field in msgspec.structs.fields(PERSON_KINDS[kind])
        if field.required and not isinstance(WISHES[kind][field.encode_name], dict)
    ]
    match chance.randrange(6):
        case 0 if required:
            body[chance.choice(required)] = {"not": "this"}
        case 1:
            body["id"] = chance.choice([None, "", "x", 7, [], "é" * 20, "x" * 65, {}])
        case 2:
            body["version"] = chance.choice([-1, "1", 1.5, [], {}, True, 1 << 70])
        case 3:
            body["kind"] = chance.choice(
                [None, 5, [], "push_button", "open_table", "pass_time", "\0"]
            )
        case _:
            body[text(chance, 20)] = chance.choice(JUNK)
    return body


def http_body(chance: random.Random) -> tuple[str, bytes]:
    """An address, and what it cannot understand."""
    shapes: list[Callable[[], bytes]] = [
        lambda: json.dumps(spoilt(chance)).encode(),
        lambda: json.dumps(chance.choice(JUNK)).encode(),
        lambda: json.dumps(spoilt(chance)).encode()[: -chance.randrange(1, 30)],
        lambda: noise(chance),
        lambda: deep(chance).encode(),
        lambda: b'{"code": "' + b"A" * chance.randrange(65, 9000) + b'"}',
        lambda: b'{"button": ' + json.dumps(chance.choice(("1", 99, 1e9, None))).encode() + b"}",
        lambda: b" " * chance.randrange(16_385, TOO_LONG),
        lambda: b'{"id": "\\ud800\\udc00\\ud800", "kind": "sit"}',
    ]
    address = chance.choice(("/api/commands", "/api/commands", "/api/simulate", "/api/pair"))
    return address, chance.choice(shapes)()


def packet(chance: random.Random) -> str | bytes:
    """A message over the live door."""
    known: list[Any] = ["command", "catch_up", "clock", "simulate", "watch_hardware"]
    event = chance.choice([*known, "x", 1, {}, None])
    number = chance.choice(["", "7", str(chance.randrange(1 << 60)), "9" * 120])
    shapes: list[Callable[[], str | bytes]] = [
        lambda: noise(chance),
        lambda: text(chance),
        lambda: f"42{number}" + json.dumps(["command", spoilt(chance)]),
        lambda: f"42{number}" + json.dumps([event]),
        lambda: f"42{number}" + json.dumps(["command", *chance.choices(JUNK, k=3)]),
        lambda: f"42{number}" + json.dumps(["simulate", chance.choice(JUNK)]),
        lambda: '42["command",' + deep(chance),
        lambda: f"45{chance.randrange(99)}-" + json.dumps(["command", {"_placeholder": True}]),
        lambda: "451-" + json.dumps(["command", {"_placeholder": True, "num": 9}]),
        lambda: "4" + str(chance.randrange(10)) + "[" * chance.randrange(40),
        lambda: "43" + str(chance.randrange(1 << 40)) + "[]",
        lambda: "40/nowhere,",
        lambda: "42/nowhere," + json.dumps(["command", {}]),
        lambda: chance.choice(["40", "41", "2", "2probe", "3", "5", "6", "b", "bAAA", "4"]),
    ]
    if chance.random() < 0.004:
        return chance.choice(["1", "x", "7", "42" + "y" * TOO_LONG])
    return chance.choice(shapes)()


def payload(chance: random.Random) -> bytes:
    """What is posted to a polling session: one packet, or very many."""
    many = [packet(chance) for _ in range(chance.choice((1, 1, 2, 15, 40)))]
    packed = [one if isinstance(one, bytes) else one.encode() for one in many]
    return b"\x1e".join(packed)[:TOO_LONG]


def request(chance: random.Random) -> bytes:
    """What only resembles a request."""
    line = chance.choice(
        [
            b"GET / HTTP/1.1",
            b"GET /api/state HTTP/9.9",
            b"POST /api/commands HTTP/1.1",
            b"BREW /pot HTTP/1.1",
            b"GET " + b"/" * 5000 + b" HTTP/1.1",
            b"GET http://evil.example/ HTTP/1.1",
            b"GET /%00%ff HTTP/1.1",
            b"\x16\x03\x01" + noise(chance),
            b"PRI * HTTP/2.0",
        ]
    )
    headers = chance.choices(
        [
            b"Host: 127.0.0.1",
            b"Host: evil.example",
            b"Host: [::1",
            b"Origin: http://[",
            b"Content-Length: 99999999999",
            b"Content-Length: -1",
            b"Content-Length: 5\r\nContent-Length: 6",
            b"Transfer-Encoding: chunked",
            b"Transfer-Encoding: gzip",
            b"Expect: 100-continue",
            b"X-Forwarded-Host: 127.0.0.1",
            b"Cookie: " + noise(chance, 60).replace(b"\r", b"").replace(b"\n", b""),
            b"Upgrade: websocket\r\nConnection: Upgrade",
            b"A: " + b"b" * 9000,
            b"\r\n".join(b"X-%d: y" % number for number in range(100)),
            b"no colon here",
            b" folded: line",
        ],
        k=chance.randrange(5),
    )
    return line + b"\r\n" + b"\r\n".join(headers) + b"\r\n\r\n" + noise(chance, 50)
