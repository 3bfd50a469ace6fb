"""Which button and which lamp hang on which pin: defaults, configuration and drawings.

Start with `wiring.py`.
"""
