"""Statistics of past matches: each is declared once, and answered from the read model.

`registry.py` lists them all; start with `statistic.py`.
"""
