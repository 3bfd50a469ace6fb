"""The journal: every event on disk, sealed to the one before, and the way back to the table.

It knows the referee's events and how they are applied, and no thread. Start with `journal.py` for
writing and `opening.py` for the start of a table.
"""
