"""Pins: one file a backend, each a gpiozero pin factory or what one needs.

They hand edges over with the kernel's own time and decide nothing. Start with `factories.py`.
"""
