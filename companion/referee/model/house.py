"""House rules: a named choice for each point on which the printed sheets are silent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of one match; the defaults are the companion's own reading of the sheets."""

    deal_tie: Literal["redraw", "first_seat"] = "redraw"
    """R2. Tied for the deal: the tied draw again, or the lowest seat among them deals."""
    reverse_skips_for_two: bool = False
    """R7. With two players a Reverse works like a Skip."""
    guilty_gives_turn_back: bool = True
    """R11. After a rightful challenge the challenger takes the turn that was lost."""
    hands_stay_down: bool = False
    """R12. A slap counts only while the button stays down; letting go means slapping again."""
    no_slap: Literal["pick", "all_draw"] = "pick"
    """R12. Several never slapped: the referee picks one of them, or all of them draw."""
    wrong_catch_draws: Annotated[int, Meta(ge=0, le=20)] = 0
    """R13. Cards drawn for a catch that was wrong."""
    tie_goes_to: Literal["caller", "catcher"] = "caller"
    """R13. Call and catch at the same moment: who keeps it."""
    show_missing_call: bool = False
    """R13. Screens say that a player with one card left has not called yet, which gives it away."""
    race_on_last_card: bool = False
    """R14. A Street Race laid as the very last card is still raced."""
    lowest_tie: Literal["share", "play_on"] = "share"
    """R19. Tied for the lowest tally: they share the win, or another round decides."""
    late_start: Literal["highest", "average", "zero"] = "highest"
    """R19. Who joins late begins at the highest tally, at the average, or at nothing."""
    target: Annotated[int, Meta(ge=50, le=2_000)] | None = None
    """R18, R19. The points to play to; none are the edition's own."""
    next_dealer: Literal["left", "winner"] = "left"
    """R20. The deal passes to the left, or to the player who went out."""
    most_players: Annotated[int, Meta(ge=2, le=10)] = 10
    """How many may sit down; the sheets name no number."""
