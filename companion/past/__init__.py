"""What was played: matches, their timelines, highlights, statistics and reviews.

Everything here follows from the journal and is read beside the worker. `replay.py` replays events,
`facts.py` is what it gathers, `tables/` keeps that as tables. Start with `past.py`, which
hands out the rest.
"""
