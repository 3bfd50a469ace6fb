"""An open hall: its journal, its broker and its intake, put together once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from companion.hall.broker.access import BrokerAccess, BrokerSide
from companion.hall.broker.configured import ConfiguredBroker
from companion.hall.broker.mosquitto import Mosquitto, stretched
from companion.hall.decisions import join_table
from companion.hall.evening import Evening, HallTable
from companion.hall.intake import Intake
from companion.hall.keeper import HallKeeper
from companion.keeping import backups
from companion.keeping.daily_backup import DailyBackup
from companion.settings.broker import HallBroker


class Hall:
    """Opens everything, and closes it in the other order."""

    def __init__(
        self,
        folder: Path,
        broker_port: int,
        names: Iterable[str] = (),
        configured: HallBroker | None = None,
    ) -> None:
        self.keeper = HallKeeper(folder)
        try:
            self.broker: BrokerSide = (
                Mosquitto(folder, broker_port, names)
                if configured is None
                else ConfiguredBroker(configured)
            )
            self.broker.start(_users(self.keeper.evening))
        except BaseException:
            self.keeper.close()
            raise
        self._let_in = _users(self.keeper.evening)
        self.keeper.changed.append(self._follow)
        self.intake = Intake(self.broker.as_hall(), self.keeper)
        self.intake.start()
        self._daily = DailyBackup(
            lambda: backups.make(folder, "daily", rest=self._daily.rest),
            lambda: self.keeper.evening.version,
        )
        self._daily.start()
        self.hosted: dict[int, int] = {}
        """The ports of the tables that run on the hall's own machine."""
        self.closing: list[Callable[[], None]] = []
        """What else is closed with the hall, and before it."""

    def join(
        self,
        wish: int | None,
        identity: str,
        password: str = "",
        since: tuple[int, str] = (0, ""),
    ) -> tuple[HallTable, BrokerAccess]:
        """Let a table join, and tell it how to reach the broker; it may keep its password."""
        number = join_table(self.keeper.evening, wish, identity, "").table
        access = self.broker.access(number, password)
        return self.keeper.join(number, identity, stretched(access.password), since), access

    def close(self) -> None:
        """Close the hall."""
        for close in self.closing:
            close()
        self._daily.close()
        self.intake.close()
        self.broker.close()
        self.keeper.close()

    def _follow(self, evening: Evening) -> None:
        """Let in the tables that have joined, and none that has left."""
        users = _users(evening)
        if users != self._let_in:
            self._let_in = users
            self.broker.let_in(users)


def _users(evening: Evening) -> dict[str, str]:
    return {str(number): table.password for number, table in evening.tables.items()}
