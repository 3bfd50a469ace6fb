"""The home: the table tells a broker what happens, so that the room's lights can follow it."""
