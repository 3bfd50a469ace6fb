"""From edges to presses: what a contact did becomes pushes with an honest date, and faults.

It knows no pins: edges are handed to it. Start with `contact.py`, then `listener.py`.
"""
