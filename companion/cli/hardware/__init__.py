"""`companion hardware`: see every lamp and hear every button before the guests come.

Start with `command.py`.
"""
