"""Lets a journal hold the events of a hall; whoever reads the journal of one imports this."""

from __future__ import annotations

from typing import get_args

from companion.hall.events import HallEvent
from companion.journal.chain import keep_kinds

keep_kinds(get_args(HallEvent))
