"""What was reported against what was done: the referee judges, and the truth is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from msgspec import Struct, convert

from companion.referee import commands as c
from companion.referee.model.presses import Gap, Press, Timing, together
from hardware.contact.edges import HAND
from tests.kernel.races import MILLISECOND, Race
from tests.kernel.rulings import ruled

TIMING = Timing(switch_tolerance=0)
"""Without the allowance for switches: here the contacts are perfect, and the dating is on trial."""
BETWEEN_PUSHES = 60 * MILLISECOND
"""A hand cannot let go and come back sooner, so no sound machine hides as much as that."""
SHARP = MILLISECOND // 10
"""Dates that are doubted by no more than this were not overwritten."""
WATCH = 2 * MILLISECOND
"""How often the machine looks whether its processors run: one may have stood before it looked."""

Window = tuple[int, int]


class Seen(Struct):
    """The tally of some races."""

    races: int = 0
    presses: int = 0
    decided: int = 0
    dead_heats: int = 0
    wrong_last: int = 0
    wrong_order: int = 0
    """Pairs of presses in the wrong order, though surely apart."""
    wrong_order_races: int = 0
    contradicted: int = 0
    """Presses whose true moment lies outside of date and uncertainty."""
    blurred: int = 0
    """Presses whose date is doubted by more than clocks and switches explain."""
    timid: int = 0
    """Dead heats although the true gap was larger than the stated uncertainty."""
    void: int = 0
    """Races in which the emulated machine itself stood still, or left fewer than two pushes."""
    squeezed: int = 0
    """Pushes that the emulation made shorter than a spike, or whose bounce it drew out."""
    unforeseen: int = 0
    """Pushes in which a processor stood still for longer than it had ever been late before."""
    aside: int = 0
    """Slaps of buttons that had been named and set aside."""
    missing: int = 0
    extra: int = 0
    noticed: int = 0
    """Races in which the program itself said that presses may be missing."""
    worst_error: int = 0
    widest_uncertainty: int = 0
    worst_arrival: int = 0
    remarks: list[str] = []

    def row(self) -> str:
        """One line for people."""
        return (
            f"{self.races:5} races {self.decided:5} decided {self.dead_heats:5} dead heats "
            f"{self.wrong_order_races:3} wrong order {self.wrong_last:3} wrong last  off by "
            f"{self.worst_error / MILLISECOND:.3f} ms at most, "
            f"stated {self.widest_uncertainty / MILLISECOND:.3f} ms"
        )


def reports_of(act: Mapping[str, Any]) -> list[c.ButtonCommand]:
    """Read the reports of an act back into what the table would have got."""
    return [
        convert({k: v for k, v in report.items() if k != "arrived"}, c.ButtonCommand)
        for report in act["reports"]
    ]


def scene_of(act: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Find one scene of an act."""
    (found,) = [scene for scene in act["scenes"] if scene["name"] == name]
    return dict(found)


def truth(made: Mapping[str, Any], places: Mapping[int, int]) -> dict[int, Window]:
    """Tell between which moments each button really moved."""
    times = made["times"]
    return {button: tuple(times[str(place)]) for button, place in places.items()}


def judge_scene(
    act: Mapping[str, Any], scene: str, races: Sequence[Race], broken: Iterable[int] = ()
) -> Seen:
    """Let the referee judge every race of a scene from what was reported."""
    seen = Seen(remarks=[])
    played = scene_of(act, scene)
    # A date that may be late lies before its first edge, and so may that of a race's first hand.
    starts = [made["start"] - HAND.longest_bounce for made in played["made"]]
    reports = reports_of(act)
    arrivals = [report["arrived"] for report in act["reports"]]
    ends = [*starts[1:], played["ended"] - HAND.longest_bounce]
    for race, made, start, end in zip(races, played["made"], starts, ends, strict=True):
        windows = truth(made, race.presses)
        within = [
            (report, arrived)
            for report, arrived in zip(reports, arrivals, strict=True)
            if isinstance(report, c.PushButton) and start <= report.at < end
        ]
        gaps = [
            Gap(report.since, report.until, report.buttons)
            for report in reports
            if isinstance(report, c.MissPresses) and report.until >= start and report.since < end
        ]
        for press, arrived in within:
            seen.worst_arrival = max(seen.worst_arrival, arrived - press.at)
        odd = {b for b in windows if _no_hand(made, race, b)}
        seen.squeezed += len(odd)
        windows |= {b: _drawn_out(made, race, b) for b in odd}
        presses = [press for press, _ in within if press.button not in broken]
        unforeseen = _unforeseen(played["stalls"], windows, presses) - odd
        seen.unforeseen += len(unforeseen)
        windows |= {b: _drawn_out(made, race, b) for b in unforeseen}
        odd |= unforeseen
        aside = _set_aside(reports, start, end)
        for button in windows.keys() & aside.keys():
            seen.aside += 1
            seen.remarks.append(f"a slap within {windows[button]} was lost: {aside[button]}")
        windows = {b: window for b, window in windows.items() if b not in aside}
        presses = [press for press in presses if press.button not in aside]
        heard = {press.button for press in presses}
        windows = {b: window for b, window in windows.items() if b in heard or b not in odd}
        longest = HAND.longest_bounce if race.bounces else BETWEEN_PUSHES
        if len(windows) < 2 or _stood_still(played["stalls"], start, windows, longest):
            seen.void += 1
        else:
            _judge(seen, windows, presses, gaps, start, odd)
    return seen


def _set_aside(reports: Iterable[c.ButtonCommand], start: int, end: int) -> dict[int, c.SetAside]:
    """Tell which buttons were out of play at some time between two moments, and why."""
    aside: dict[int, c.SetAside] = {}
    for report in reports:
        if isinstance(report, c.SetAside) and report.at < end:
            aside[report.button] = report
        elif isinstance(report, c.PutBack) and report.at < start:
            aside.pop(report.button, None)
    return aside


def _stood_still(
    stalls: Sequence[int], start: int, windows: Mapping[int, Window], longest: int
) -> bool:
    """Whether a processor of the machine stood still for long while the hands came down."""
    end = max(after for _, after in windows.values()) + 2 * MILLISECOND
    return any(
        since < end and until > start and until - since > longest
        for since, until in zip(stalls[::2], stalls[1::2], strict=True)
    )


def _unforeseen(
    stalls: Sequence[int], windows: Mapping[int, Window], presses: Iterable[c.PushButton]
) -> set[int]:
    """Name the buttons over whose push a processor stood still for longer than their doubt says.

    The table sees that a date was overwritten, and doubts it by as much as threads were ever late.
    It cannot know of a processor that stands still for longer for the first time.
    """
    standstills = _standstills(stalls)
    return {
        press.button
        for press in presses
        if press.button in windows and press.uncertainty > SHARP
        for since, until in standstills
        if since - WATCH <= windows[press.button][1] < until
        and until - since + WATCH > 2 * press.uncertainty
    }


def _standstills(stalls: Sequence[int]) -> list[Window]:
    """Put stalls together between which no look told whether the processors ran.

    The thread that reads an edge may wait for one processor after the other.
    """
    whole: list[Window] = []
    for since, until in sorted(zip(stalls[::2], stalls[1::2], strict=True)):
        if whole and since - whole[-1][1] <= WATCH:
            whole[-1] = whole[-1][0], max(whole[-1][1], until)
        else:
            whole.append((since, until))
    return whole


def _no_hand(made: Mapping[str, Any], race: Race, button: int) -> bool:
    """Whether the emulation was stopped so long that its contact did what no contact does."""
    times = [made["times"][str(place)] for place in race.contacts[button]]
    let_go = race.contacts[button].index(race.releases[button])
    squeezed = times[let_go][0] - times[0][1] < HAND.spike
    bounces = [*pairwise(times[:let_go]), *pairwise(times[let_go:])]
    parted = any(later[1] - sooner[0] >= HAND.quiet for sooner, later in bounces)
    drawn_out = times[let_go - 1][1] - times[0][0] > HAND.longest_bounce and not race.holes
    return squeezed or parted or drawn_out


def _drawn_out(made: Mapping[str, Any], race: Race, button: int) -> Window:
    """Tell between which moments a hand that no contact shows so came down: any of its bounces."""
    let_go = race.contacts[button].index(race.releases[button])
    times = [made["times"][str(place)] for place in race.contacts[button][:let_go]]
    return times[0][0], times[-1][1]


def _judge(
    seen: Seen,
    windows: dict[int, Window],
    reported: list[c.PushButton],
    gaps: list[Gap],
    start: int,
    odd: set[int],
) -> None:
    seen.races += 1
    seen.noticed += bool(gaps)
    presses = [Press(p.button, p.at, p.uncertainty, p.source) for p in reported]
    seen.presses += len(presses)
    slaps = _first_presses(windows, presses)
    for button, window in windows.items():
        known_gap = any(gap.hides(button) for gap in gaps)
        if button not in slaps:
            seen.missing += not known_gap
        elif not known_gap and button not in odd:
            _compare(seen, slaps[button], window)
    times_pressed = Counter(press.seat for press in presses)
    seen.extra += sum(
        button not in windows or (times > 1 and button not in odd)
        for button, times in times_pressed.items()
    )
    wrong_before = seen.wrong_order
    unknown = odd | {button for gap in gaps for button in windows if gap.hides(button)}
    for one, other in combinations(sorted(slaps.keys() - unknown), 2):
        _compare_order(seen, slaps[one], slaps[other], windows)
    seen.wrong_order_races += seen.wrong_order > wrong_before
    finish = ruled(tuple(windows), start, reported, gaps, TIMING)
    raced = {button: window for button, window in windows.items() if button != finish.layer}
    seen.decided += len(finish.last) == 1
    seen.dead_heats += len(finish.last) != 1
    latest_of_them = max(raced[button][1] for button in finish.last)
    if any(before > latest_of_them for before, _ in raced.values()):
        seen.wrong_last += 1
        seen.remarks.append(f"last was not one of {finish.last}: {windows} {slaps}")


def _first_presses(windows: Mapping[int, Window], presses: Iterable[Press]) -> dict[int, Press]:
    """Give the first press of every hand that came down."""
    slaps: dict[int, Press] = {}
    for press in sorted(presses, key=lambda press: press.at):
        if press.seat in windows:
            slaps.setdefault(press.seat, press)
    return slaps


def _compare(seen: Seen, press: Press, window: Window) -> None:
    """Hold the date of a press against the moment at which it was really made."""
    early, late = window[0] - press.at, press.at - window[1]
    error = max(early, late, 0)
    seen.worst_error = max(seen.worst_error, error)
    seen.widest_uncertainty = max(seen.widest_uncertainty, press.uncertainty)
    seen.blurred += press.uncertainty > SHARP
    if error > press.uncertainty:
        seen.contradicted += 1
        seen.remarks.append(f"{press} was made within {window}")


def _compare_order(seen: Seen, one: Press, other: Press, windows: Mapping[int, Window]) -> None:
    """Check two presses of which the truth is certain: right, or honestly too close to tell."""
    if windows[one.seat][0] > windows[other.seat][0]:
        one, other = other, one
    true_gap = windows[other.seat][0] - windows[one.seat][1]
    if true_gap <= 0:
        return
    if together(one, other, TIMING):
        doubt = max(one.uncertainty + other.uncertainty, TIMING.least_gap)
        seen.timid += true_gap > 2 * doubt
    elif one.at > other.at:
        seen.wrong_order += 1
        seen.remarks.append(f"{one} before {other}? {windows}")


def judge_by_arrival(
    act: Mapping[str, Any], scene: str, races: Sequence[Race], *, by: str = "arrived"
) -> Seen:
    """Judge the same races the obvious way: whoever is heard of first was first."""
    seen = Seen(remarks=[])
    played = scene_of(act, scene)
    starts = [made["start"] for made in played["made"]]
    for race, made, start, end in zip(
        races, played["made"], starts, [*starts[1:], played["ended"]], strict=True
    ):
        windows = truth(made, race.presses)
        heard: dict[int, int] = {}
        for report in act["reports"]:
            if start <= report["arrived"] < end and report["button"] in windows:
                heard.setdefault(report["button"], report[by])
                seen.presses += 1
        seen.races += 1
        seen.missing += len(windows.keys() - heard.keys())
        if not heard:
            continue
        seen.decided += 1
        order = sorted(heard, key=lambda button: heard[button])
        seen.wrong_last += any(
            windows[button][0] > windows[order[-1]][1] for button in windows.keys() & heard.keys()
        ) or bool(windows.keys() - heard.keys())
        inverted = sum(
            windows[later][1] < windows[sooner][0] for sooner, later in combinations(order, 2)
        )
        seen.wrong_order += inverted
        seen.wrong_order_races += inverted > 0
        for button, at in heard.items():
            seen.worst_error = max(seen.worst_error, at - windows[button][1])
    return seen


def total(rows: Iterable[Seen]) -> Seen:
    """Add tallies up."""
    whole = Seen(remarks=[])
    for row in rows:
        for name in row.__struct_fields__:
            ours, theirs = getattr(whole, name), getattr(row, name)
            worst = name.startswith(("worst", "widest"))
            setattr(whole, name, max(ours, theirs) if worst else ours + theirs)
    return whole
