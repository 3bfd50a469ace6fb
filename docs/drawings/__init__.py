"""Drawings and tables for builders, made from the wiring that the program itself uses.

`python -m docs.drawings` makes all of them anew.
"""
