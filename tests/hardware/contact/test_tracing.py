"""What a contact did in a push is brought along when it is let go, and never before."""

from __future__ import annotations

from companion.referee.commands import PushButton, Release
from companion.referee.model.trace import FIRST_KEPT, LAST_KEPT, RawEdge, Trace
from hardware.contact.contact import Contact
from hardware.contact.edges import HAND, MICROSECOND, MILLISECOND, Dating, Edge
from tests.hardware.contact.traces import (
    NUMBERED,
    START,
    edges_at,
    follow,
    heard_pushes,
    looked,
    traces,
    wild_traces,
)

MS = MILLISECOND


def releases(contact: Contact, edges: list[Edge]) -> list[Release]:
    reports = follow(contact, edges)
    if edges:
        reports += looked(contact, edges[-1].at + HAND.recoil, edges[-1].pressed)
    return [report for report in reports if isinstance(report, Release)]


def bouncing_push(at: int, bounces: int = 2) -> list[Edge]:
    """A push that bounces as it closes and once as it opens."""
    closing = [(at + n * 150 * MICROSECOND, n % 2 == 0) for n in range(2 * bounces + 1)]
    opening = [
        (at + 90 * MS, False),
        (at + 90 * MS + 80_000, True),
        (at + 90 * MS + 160_000, False),
    ]
    return edges_at(*closing, *opening)


def test_a_release_brings_every_edge_of_its_push_along() -> None:
    (let_go,) = releases(Contact(1, NUMBERED), bouncing_push(START))
    assert let_go.raw is not None
    assert let_go.raw.left_out == 0
    assert let_go.raw.edges[0] == RawEdge(0, down=True)
    levels = "".join("-_"[not edge.down] for edge in let_go.raw.edges)
    assert levels == "-_-_-_-_"
    assert let_go.raw.edges[-3].after == let_go.at - let_go.pressed_at


def test_each_push_has_edges_of_its_own() -> None:
    first, second = releases(
        Contact(1, NUMBERED), [*bouncing_push(START), *bouncing_push(START + 300 * MS, 1)]
    )
    assert first.raw is not None
    assert second.raw is not None
    assert (len(first.raw.edges), len(second.raw.edges)) == (8, 6)
    assert second.raw.edges[0].after == 0


def test_a_hand_that_flickers_in_between_is_told_with_its_push() -> None:
    flicker = edges_at((START + 40 * MS, False), (START + 40 * MS + 50_000, True))
    push = bouncing_push(START, 0)
    (let_go,) = releases(Contact(1, NUMBERED), [push[0], *flicker, *push[1:]])
    assert let_go.raw is not None
    assert [edge.after // MS for edge in let_go.raw.edges] == [0, 40, 40, 90, 90, 90]


def test_a_bad_contact_keeps_its_first_and_its_last_edges_and_a_count() -> None:
    (let_go,) = releases(Contact(1, NUMBERED), bouncing_push(START, 30))
    assert let_go.raw is not None
    assert len(let_go.raw.edges) == FIRST_KEPT + LAST_KEPT
    assert let_go.raw.left_out == 61 + 3 - FIRST_KEPT - LAST_KEPT
    assert let_go.raw.edges[FIRST_KEPT - 1].after == (FIRST_KEPT - 1) * 150 * MICROSECOND
    assert let_go.raw.edges[-1].after == 90 * MS + 160_000


def test_a_keyboard_encoder_has_no_raw_edges_to_tell() -> None:
    usb = Dating(source="usb", base=MS, numbered=True)
    (let_go,) = releases(Contact(1, usb), bouncing_push(START, 0))
    assert let_go.raw is None


@traces(500, wild_traces())
def test_of_any_trace_the_edges_told_are_those_of_the_push(edges: list[Edge]) -> None:
    told = [r for r in releases(Contact(1, NUMBERED), edges) if r.raw is not None]
    seen = {(edge.at, edge.pressed) for edge in edges}
    for let_go in told:
        assert isinstance(let_go.raw, Trace)
        raw = let_go.raw.edges
        assert raw[0].after <= HAND.recoil
        assert [e.after for e in raw] == sorted(e.after for e in raw)
        assert all((let_go.pressed_at + e.after, e.down) in seen for e in raw)


def test_the_press_itself_waits_for_no_edge_but_its_own() -> None:
    one = Contact(1, NUMBERED)
    assert one.edge(Edge(button=1, at=START, pressed=True)) == []
    (press,) = looked(one, START + HAND.spike, True)
    assert isinstance(press, PushButton)
    assert heard_pushes([press]) == [(START, None)]
