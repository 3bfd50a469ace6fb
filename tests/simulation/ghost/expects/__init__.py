"""What should come of what ghosts do, by their own reading of the rules. Start with `oracle.py`."""
