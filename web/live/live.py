"""Live: every screen gets the newest view soon after a change, and presses as they happen.

One thread encodes each view once and hands it to all. A client that does not read as fast as the
table plays gets nothing more until its queue is empty, and then a fresh view.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from typing import Any

import msgspec

from companion.assembly.running import Running
from companion.service.notices import PressNotice
from web.live.screen import Screen, Shown
from web.transport.frames import packed_event
from web.transport.websocket import UnreadMessages

ROOM = "live"
NAMESPACE = "/"
FEW = 32
"""So many screens can be sent something small in about a millisecond."""
WAITING = 32
"""So many messages may wait for one client."""
LOOK_EVERY = 1.0
"""Seconds between two looks at what changes without the table, such as buttons and storage."""
LOOK_AT_THE_SLOW = 0.1
PACE = 0.05
"""Seconds between two views: the eye sees no more of them, and the newest has all there is."""
FRAME = 0.02
"""Seconds for a screen to draw a press before a view follows it, which makes far more work."""

log = logging.getLogger("companion.web")


class Live:
    """Pushes to every screen."""

    def __init__(self, socketio: Any, screen: Screen, running: Running) -> None:
        self._socketio = socketio
        self._screen = screen
        self._worker = running.worker
        self._changed = threading.Event()
        self._stopped = False
        self._lock = threading.Lock()
        self._in_order = threading.Lock()
        """Held from looking at the table until that view is on its way, so that none overtakes."""
        self._pressing = threading.Lock()
        """Held while a press goes out: a view wakes one thread a screen, all in a press's way."""
        self._presses: queue.SimpleQueue[PressNotice | None] = queue.SimpleQueue()
        self._next_view = 0.0
        """Before this moment no view goes out."""
        self._number = 0
        """Of the latest push."""
        self._anew = False
        """Whether the next push has to be whole, for somebody came after the latest one."""
        self._keeping_up: set[str] = set()
        self._behind: set[str] = set()
        self._unsubscribe = [
            self._worker.wake(self._changed),
            self._worker.on_flash(self.press),
        ]
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._thread.start()
        threading.Thread(target=self._show_presses, name="presses", daemon=True).start()

    def stop(self) -> None:
        """Push nothing more."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._stopped = True
        self._presses.put(None)
        self._changed.set()
        self._thread.join(timeout=2)

    def look(self) -> None:
        """Look again at once: something beside the table has changed."""
        self._changed.set()

    def welcome(self, sid: str) -> None:
        """Send the whole view to a screen that just came, and all that follows."""
        with self._lock:
            self._keeping_up.add(sid)
        with self._in_order:
            self._server.enter_room(sid, ROOM)
            self._show_all(sid)
        self._changed.set()

    def farewell(self, sid: str) -> None:
        """Forget a screen that has gone."""
        with self._lock:
            self._keeping_up.discard(sid)
            self._behind.discard(sid)

    def press(self, notice: PressNotice) -> None:
        """Show a press at once; the disk has not been asked yet, so it decides nothing.

        Few screens are told before this returns. Many would keep the buttons' thread too long.
        """
        if len(self._keeping_up) > FEW:
            self._presses.put(notice)
        else:
            self._show(notice)

    def _show_presses(self) -> None:
        while (notice := self._presses.get()) is not None:
            try:
                self._show(notice)
            except Exception:
                log.exception("A press could not be shown")

    def _show(self, notice: PressNotice) -> None:
        frame = packed_event("press", notice)
        with self._pressing:
            for sid in self._each(self._keeping_up):
                outbox = self._outbox(sid)
                if outbox is None or not outbox.overtake(frame):
                    self._socketio.emit("press", msgspec.to_builtins(notice), to=sid)
            self._next_view = max(self._next_view, time.monotonic() + FRAME)

    def tell(self, sid: str, event: str, value: Any) -> None:
        """Tell one screen something small, at once if nothing waits for it."""
        outbox = self._outbox(sid)
        if outbox is None or not outbox.overtake(packed_event(event, value)):
            self._socketio.emit(event, value, to=sid)

    def waiting_for(self, sid: str) -> int:
        """Count the messages that a client has not read yet."""
        outbox = self._outbox(sid)
        return outbox.qsize() if outbox else 0

    def is_deaf(self, sid: str) -> bool:
        """Whether a client has left so much unread that something had to be left out."""
        outbox = self._outbox(sid)
        return outbox is not None and (outbox.left_out or outbox.qsize() > 4 * WAITING)

    def _outbox(self, sid: str) -> UnreadMessages | None:
        eio_sid = self._server.manager.eio_sid_from_sid(sid, NAMESPACE)
        connection = self._server.eio.sockets.get(eio_sid)
        return connection.queue if connection else None

    @property
    def _server(self) -> Any:
        return self._socketio.server

    def _run(self) -> None:
        pushed = self._screen.show()
        while not self._stopped:
            self._changed.wait(self._until_next_look)
            if (too_soon := self._next_view - time.monotonic()) > 0:
                time.sleep(too_soon)
            self._changed.clear()
            try:
                with self._pressing:
                    pass
                with self._in_order:
                    shown = self._screen.show()
                    if (shown.version, shown.beside) != (pushed.version, pushed.beside):
                        self._next_view = time.monotonic() + PACE
                        self._push(shown, pushed)
                        pushed = shown
                self._let_the_slow_go()
                self._fetch_the_slow()
            except Exception:
                log.exception("A view could not be pushed")

    @property
    def _until_next_look(self) -> float | None:
        """In how many seconds to look by itself; never, where there is no screen."""
        if self._behind:
            return LOOK_AT_THE_SLOW
        return LOOK_EVERY if self._keeping_up else None

    def _push(self, shown: Shown, before: Shown) -> None:
        """Send what has changed; all of it, where somebody has not seen the push before."""
        self._number += 1
        anew, self._anew = self._anew, False
        body = shown.whole(self._number) if anew else shown.since(before, self._number)
        self._socketio.emit("view", body, to=ROOM)

    def _show_all(self, sid: str) -> None:
        self._anew = True
        self._socketio.emit("view", self._screen.show().whole(self._number), to=sid)

    def _let_the_slow_go(self) -> None:
        for sid in self._each(self._keeping_up):
            outbox = self._outbox(sid)
            if outbox and (outbox.qsize() > WAITING or outbox.left_out):
                self._server.leave_room(sid, ROOM)
                self._move(sid, self._keeping_up, self._behind)

    def _fetch_the_slow(self) -> None:
        for sid in self._each(self._behind):
            outbox = self._outbox(sid)
            if outbox is not None and outbox.empty():
                outbox.left_out = False
                self._move(sid, self._behind, self._keeping_up)
                with self._in_order:
                    self._server.enter_room(sid, ROOM)
                    self._show_all(sid)

    def _each(self, sids: set[str]) -> list[str]:
        with self._lock:
            return list(sids)

    def _move(self, sid: str, one: set[str], other: set[str]) -> None:
        with self._lock:
            if sid in one:
                one.discard(sid)
                other.add(sid)
