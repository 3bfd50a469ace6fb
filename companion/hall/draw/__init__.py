"""Who sits where, by format and seed, without a clock or a network; start with `drawing.py`."""
