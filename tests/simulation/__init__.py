"""The proof of the reading: rounds whose truth is known, told late and badly to the real table.

Start with `truth.py` (what really happened in one round) and `playing.py` (how people make it
happen). `referee.py` tells it to the table as a person does: late, wrong, corrected. `table.py`
runs the real referee through it, `judge.py` compares what was ruled with the truth, and `shares.py`
says how much of it may be wrong. `cheating/` replaces honest hands by hands that want to win.
`ghost/` plays whole matches and keeps a truth of its own.
"""
