"""Calls and catches: who called UNO, who was caught and what is open; start with `calls.py`."""
