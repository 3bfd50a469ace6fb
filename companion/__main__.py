"""Lets `python -m companion` do what `companion` does."""

from companion.cli import main

main()
