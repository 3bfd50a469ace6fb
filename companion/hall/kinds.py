"""Lets a journal hold the events of a hall; every reader of such a journal imports this."""

from __future__ import annotations

from typing import get_args

from companion.hall.events import HallEvent
from companion.journal.bodies import keep_kinds

keep_kinds(get_args(HallEvent))
