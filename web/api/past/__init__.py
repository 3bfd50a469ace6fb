"""The addresses that tell of past matches: lists, timelines, statistics, reviews and what-if.

They ask `companion.past` and write its answers as JSON or CSV. Start with `past_matches.py`.
"""
