"""Races: which hands slapped, who laid the card, who was last; start with `races.py`."""
