"""Bytes and traffic: connections, WebSocket frames, limits and compression.

It knows nothing of the table. Start with `connections.py`.
"""
