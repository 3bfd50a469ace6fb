"""Lamps and the buzzer, driven from what a screen may see and from nothing else.

Start with `lamps.py`.
"""
