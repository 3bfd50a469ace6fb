"""`companion hall`: host an evening of many tables, or watch one that plays itself.

Start with `command.py`.
"""
