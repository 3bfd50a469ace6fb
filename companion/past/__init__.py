"""What was played: matches, their timelines, highlights, statistics and reviews.

Everything here is read from the journal and writes nothing. Start with `past.py`, which hands out
the rest.
"""
