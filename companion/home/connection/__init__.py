"""The connection to a broker: one thread, one line at a time, and the messages that wait for it.

It knows topics and bytes and nothing of the game. The hall uses it too. Start with
`broker_thread.py`.
"""
