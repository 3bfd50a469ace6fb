"""Which button and which lamp hang on which pin: defaults, configuration and currents.

Start with `wiring.py`.
"""
