"""A broker that exists already, for a hall that starts none of its own."""

from __future__ import annotations

from collections.abc import Mapping

from companion.hall.broker.access import BrokerAccess
from companion.hall.refusals import HallRefusal
from companion.settings.broker import HallBroker, Home


class ConfiguredBroker:
    """Knows how the hall and each of its tables reach the broker, and changes nothing there."""

    def __init__(self, settings: HallBroker) -> None:
        self._settings = settings

    def start(self, _tables: Mapping[str, str]) -> None:
        """Leave it as it is: whether it can be reached, the desk says."""

    def let_in(self, _tables: Mapping[str, str]) -> None:
        """Leave its users alone."""

    def access(self, number: int, _password: str) -> BrokerAccess:
        """Tell a table how to reach the broker, with the password that the file has for it."""
        settings = self._settings
        certificate = "" if settings.ca_file is None else settings.ca_file.read_text()
        password = self._passwords().get(number)
        if password is None:
            raise HallRefusal("no_user")
        return BrokerAccess(settings.port, password, certificate, settings.host, settings.tls)

    def as_hall(self) -> Home:
        """Tell how the hall itself reaches the broker."""
        settings = self._settings
        return Home(
            host=settings.host,
            port=settings.port,
            user=settings.user,
            password=settings.password,
            password_file=settings.password_file,
            tls=settings.tls,
            ca_file=settings.ca_file,
        )

    def close(self) -> None:
        """Let it go on."""

    def _passwords(self) -> dict[int, str]:
        """Read the file as it is now, so that a table can be added while the hall is open."""
        try:
            lines = self._settings.tables.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return {}
        pairs = (line.partition(":") for line in lines)
        return {int(number): password for number, _, password in pairs if number.isdecimal()}
