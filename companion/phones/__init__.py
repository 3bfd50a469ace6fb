"""Phones as buttons: how far a phone's clock can be trusted.

It knows only dated presses. The talking is done in `web/live/phone_clocks.py`.
"""
