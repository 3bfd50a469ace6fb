"""The bare app: Flask-SocketIO as its documentation begins, with one page that shows presses."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response
from flask_socketio import SocketIO

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"
SEATS = 6
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bare</title>
<style>li.flash { background: gold; }</style>
<ol>SEATS</ol>
<script type="module">
import { io } from "/static/vendor/socket.io.esm.min.js";
const socket = io({ transports: ["websocket"] });
socket.on("press", ({ seat }) => {
  const item = document.querySelector(`[data-seat="${seat}"]`);
  item.classList.add("flash");
  setTimeout(() => item.classList.remove("flash"), 450);
});
socket.on("connect", () => { document.body.dataset.link = "live"; });
</script>
""".replace("SEATS", "".join(f'<li data-seat="{seat}">{seat}</li>' for seat in range(1, SEATS + 1)))

app = Flask(__name__, static_folder=STATIC)
socketio = SocketIO(app, async_mode="threading")


@app.get("/")
def page() -> Response:
    """Serve the only page."""
    return Response(PAGE, mimetype="text/html")
