"""One connection to the broker, from connecting to its end, used by one thread alone.

Each connection has a client of its own, so that nothing of an earlier one can be sent into it late.
"""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.home.messages import DELIVERED, Message
from companion.settings.broker import Home

KEEPALIVE = 20
"""Seconds of silence after which both ends ask, unless the settings say otherwise; the broker
tells the last will after half as many again."""
CONNECTING = 5.0
ANSWERING = 10.0
"""Seconds in which the broker must answer to being greeted."""
NO_DATES = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which the module has no name."""
WINDOW = 16
"""So many messages may be on their way unanswered."""
STRANGER = "it does not accept the user or the password"
WORDS = {
    "Not authorized": STRANGER,
    "Bad user name or password": STRANGER,
    "Client identifier not valid": "it does not accept the client_id",
    "Server unavailable": "it says that it cannot serve now",
}


class NoBroker(Exception):
    """There is no connection, for the reason that the words give."""


class NotLetIn(NoBroker):
    """The broker does not know this user, or is not the one that was meant."""


class NoPaho(Exception):
    """The optional package paho-mqtt is not installed."""


def paho() -> Any:
    """Load the package that speaks MQTT; only who has a home needs it."""
    try:
        from paho.mqtt import client
    except ImportError:
        raise NoPaho(
            "Telling a home needs the package paho-mqtt: pip install 'table-companion[home]'"
        ) from None
    return client


def password_of(home: Home) -> str | None:
    """Find the password, in the file as it is now."""
    if home.password_file is None:
        return home.password
    try:
        return home.password_file.read_text(encoding="utf-8").strip("\r\n")
    except OSError as error:
        raise NoBroker(f"{home.password_file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NoBroker(f"{home.password_file} is not a text in UTF-8") from None


class BrokerLine:
    """One connection; messages go out in order, and each is answered."""

    def __init__(
        self,
        home: Home,
        client_id: str,
        *,
        will: Message | None = None,
        keepalive: int = KEEPALIVE,
        dated: bool = True,
        heard: Callable[[str, bytes, bool], None] = lambda _topic, _payload, _retained: None,
    ) -> None:
        mqtt = paho()
        self._home = home
        self._keepalive = keepalive
        self._dated = dated
        """Whether a certificate counts only within its dates."""
        self._well = mqtt.MQTT_ERR_SUCCESS
        self._client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            client_id,
            clean_session=True,
            reconnect_on_failure=False,
        )
        self._client.connect_timeout = CONNECTING
        self._client.on_connect = self._greeted
        self._client.on_publish = self._answered
        self._client.on_message = self._received
        self._heard = heard
        if will is not None:
            self._client.will_set(will.topic, will.payload, DELIVERED, retain=will.retain)
        self._greeting: str | None = None
        self._waiting: dict[int, Message] = {}

    def open(self, give_up: Callable[[], bool] = lambda: False) -> None:
        """Connect and be greeted, or say why not."""
        home = self._home
        if home.user is not None:
            self._client.username_pw_set(home.user, password_of(home))
        try:
            if home.tls:
                self._client.tls_set_context(_tls_context(home, dated=self._dated))
            self._client.connect(home.host, home.port, self._keepalive)
        except (OSError, ValueError) as error:
            other = isinstance(error, ssl.SSLCertVerificationError)
            raise (NotLetIn if other else NoBroker)(_why(home, error)) from None
        until = time.monotonic() + ANSWERING
        while self._greeting is None:
            left = until - time.monotonic()
            if left <= 0:
                self.drop()
                raise NoBroker(f"{home.host} accepts the connection and then says nothing")
            if give_up():
                self.drop()
                raise NoBroker("the table closes")
            try:
                self.wait(min(left, 0.2))
            except NoBroker:
                raise NoBroker(_ended_at_once(home)) from None
        if self._greeting != "Success":
            self.drop()
            stranger = WORDS.get(self._greeting) == STRANGER
            refusal = f"{home.host} refuses: {_refusal(home, self._greeting)}"
            raise (NotLetIn if stranger else NoBroker)(refusal)

    def subscribe(self, topic: str) -> None:
        """Receive what is published there."""
        self._client.subscribe(topic, DELIVERED)

    @property
    def free(self) -> bool:
        """Whether there is room for another message."""
        return len(self._waiting) < WINDOW

    @property
    def unanswered(self) -> list[Message]:
        """All that the broker may not have got, in order."""
        return list(self._waiting.values())

    def send(self, message: Message) -> None:
        """Send a message; it waits to be answered."""
        sent = self._client.publish(message.topic, message.payload, DELIVERED, message.retain)
        self._waiting[sent.mid] = message

    def wait(self, patience: float, wake: int | None = None) -> None:
        """Work for the network until something happens there, or until `wake` can be read."""
        connection = self._client.socket()
        if connection is None:
            raise NoBroker(f"{self._home.host} has ended the connection")
        readable, writable = _poll(connection, patience, wake, self._client.want_write())
        results = [self._client.loop_misc()]
        if readable and self._client.socket() is not None:
            results.append(self._client.loop_read())
        if writable and self._client.socket() is not None:
            results.append(self._client.loop_write())
        if any(result != self._well for result in results) and self._greeting in (None, "Success"):
            raise NoBroker(f"{self._home.host} has ended the connection")

    def leave(self, farewell: Message, patience: float) -> None:
        """Publish that the table is gone; without an answer, the last will publishes it."""
        try:
            self.send(farewell)
            if self.settle(patience):
                self._client.disconnect()
        except NoBroker:
            return
        self.drop()

    def settle(self, patience: float) -> bool:
        """Wait until everything is answered; tell whether it was."""
        until = time.monotonic() + patience
        while self._waiting and (left := until - time.monotonic()) > 0:
            self.wait(left)
        return not self._waiting

    def disconnect(self) -> None:
        """End the connection, and publish nothing about the table."""
        self._client.disconnect()
        self.drop()

    def drop(self) -> None:
        """Cut the connection in any state."""
        connection = self._client.socket()
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            self._client.loop_read()

    def _greeted(self, _client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        self._greeting = str(reason)

    def _answered(self, _client: Any, _data: Any, mid: int, _reason: Any, _more: Any) -> None:
        self._waiting.pop(mid, None)

    def _received(self, _client: Any, _data: Any, message: Any) -> None:
        self._heard(message.topic, message.payload, message.retain)


class SelfClosingSocket(ssl.SSLSocket):
    """Closes itself when the other end is not trusted, because paho does not."""

    def do_handshake(self, block: bool = False) -> None:
        """Check the certificate of the other end."""
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _tls_context(home: Home, *, dated: bool) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=home.ca_file)
    except ssl.SSLError:
        raise NoBroker(f"{home.ca_file} holds no certificate") from None
    except OSError as error:
        raise NoBroker(f"{home.ca_file} cannot be read: {error.strerror}") from None
    context.sslsocket_class = SelfClosingSocket
    if home.ca_file is not None:
        # Python 3.13 refuses certificates of one's own making for their form; who made them is what
        # counts, and that is checked.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not dated:
        context.verify_flags |= NO_DATES
    return context


def _poll(connection: Any, patience: float, wake: int | None, writing: bool) -> tuple[bool, bool]:
    """Wait until the thread is woken, or can read or write; tell which of the last two."""
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return True, writing
    poll = select.poll()
    ends = select.POLLERR | select.POLLHUP
    poll.register(connection, select.POLLIN | (select.POLLOUT if writing else 0))
    if wake is not None:
        poll.register(wake, select.POLLIN)
    events = dict(poll.poll(max(0.0, min(patience, 1.0)) * 1000))
    seen = events.get(connection.fileno(), 0)
    return bool(seen & (select.POLLIN | ends)), bool(seen & select.POLLOUT)


def _refusal(home: Home, reason: str) -> str:
    words = WORDS.get(reason, reason)
    return "it wants a user and a password" if words == STRANGER and not home.user else words


def _ended_at_once(home: Home) -> str:
    perhaps = "perhaps it speaks no TLS there" if home.tls else "perhaps it wants TLS there"
    return f"{home.host}:{home.port} ends the connection at once; {perhaps}"


def _why(home: Home, error: Exception) -> str:
    place = f"{home.host}:{home.port}"
    match error:
        case ssl.SSLCertVerificationError():
            return f"the certificate of {place} is not trusted: {error.verify_message.rstrip('.')}"
        case ssl.SSLError():
            return f"no secure connection to {place}: {error.reason or error}"
        case socket.gaierror():
            return f"the name {home.host} is not known here"
        case ConnectionRefusedError():
            return f"nobody listens at {place}"
        case TimeoutError():
            return f"{place} does not answer"
        case ConnectionResetError():
            return _ended_at_once(home)
        case UnicodeError():
            return f"{home.host} is no name that can be looked up"
        case OSError():
            return f"{place} cannot be reached: {error.strerror or error}"
        case _:
            return f"{place} is no address: {error}"
