"""What goes out to screens by itself: the view, presses as they land, the phones' clocks.

Start with `live.py`.
"""
