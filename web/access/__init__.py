"""Who may: roles, pairing, the guard at the door, and the links that let people in.

`permissions.py` has one line for every address, message and command; what has no line is closed.
"""
