"""The doors: what screens and programs can ask for and send, over HTTP and over Socket.IO.

Both doors lead commands through `command_door.py`. Start there, or with `api.py` for the plain
HTTP.
"""
