"""The one worker that decides commands and presses in turn, and what stands around it.

It knows the referee and the journal. Screens and buttons come to it; it knows none of them. Start
with `worker.py`.
"""
