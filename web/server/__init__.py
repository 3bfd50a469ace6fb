"""The running server: gunicorn around the application, and the recovery page in its place.

Start with `server.py`.
"""
