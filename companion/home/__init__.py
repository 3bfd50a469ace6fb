"""The home: the table tells a broker what happens, so that the room's lights can follow it.

It reads the view and the events of a table and decides nothing. Start with `bridge.py`;
`connection/` is the way to the broker.
"""
