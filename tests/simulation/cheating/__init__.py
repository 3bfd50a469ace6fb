"""People who try to win by their presses, beside honest hands. Start with `contest.py`."""
