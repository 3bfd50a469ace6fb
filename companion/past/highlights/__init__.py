"""The races, catches and calls of every match, followed event by event.

`highlights.py` says what they are, `memory.py` follows the events, `reader.py` reads them off the
journal.
"""
