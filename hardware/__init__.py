"""Edges in and lamps out, through gpiozero."""
