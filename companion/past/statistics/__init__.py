"""The statistics of some matches. `shape.py` lists what they tell; start with `statistics.py`.

They are summed up from score sheets and highlights, one share a match.
"""
