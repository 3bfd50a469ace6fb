"""The ghost table: a dealer with real cards who plays whole matches and knows the truth of them.

It shares words with the referee but none of its rules. Start with `plays/match.py` (what ghosts do)
and `expects/oracle.py` (what should come of it); `ghost.py` compares the two after every step.
"""
