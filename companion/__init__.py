"""A referee for card games on a real table, with one button a player."""

__version__ = "0.1.0"
