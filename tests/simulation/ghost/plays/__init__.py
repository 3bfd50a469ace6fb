"""What ghosts do: sit down, play, race, call, quarrel and count. Start with `match.py`."""
