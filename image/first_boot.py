"""Sets the Pi up as companion.txt on the card's small partition says.

It runs before the network and the table start, and does something only where the file is another
than last time. It uses only the standard library, because it belongs to the card and not to a
version of the table.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

KEYS = ("wifi", "password", "country", "hotspot", "seats", "lamps", "name", "login")
LAMPS = ("led", "none")
USER = "table"
ALREADY = "var/lib/table-companion-first-boot"
CONFIG = "etc/table-companion/companion.toml"
CONNECTION = "etc/NetworkManager/system-connections/companion-txt.nmconnection"
COUNTRY = "etc/modprobe.d/table-companion-country.conf"
CHANNELS = "usr/lib/firmware/regulatory.db"
"""Which channels each country allows, as the kernel reads it."""
HOTSPOT = "var/lib/table-companion-network/password"
LONGEST = 32
"""So many bytes has the name of a Wi-Fi at most."""
ASCII = re.compile(r"[ -~]{8,63}")

Run = Callable[[Sequence[str], str], None]


class FirstBoot:
    """One reading of companion.txt, and what could not be done of it.

    What could not be done is said again at every start, until the file is another one.
    """

    def __init__(self, root: Path, run: Run) -> None:
        self._root = root
        self._run = run
        self.complaints: list[str] = []

    def apply(self, text: str) -> bool:
        """Do what the text says, unless that has been done; tell whether there was anything."""
        done = self._root / ALREADY
        digest = hashlib.sha256(text.encode()).hexdigest()
        before = done.read_text().splitlines() if done.exists() else []
        if before[:1] == [digest]:
            self.complaints = before[1:]
            return False
        settings = self._read(text)
        self._wifi(settings)
        for key, act in (
            ("country", self._country),
            ("hotspot", self._hotspot),
            ("seats", self._seats),
            ("lamps", self._lamps),
            ("name", self._name),
            ("login", self._login),
        ):
            if value := settings.get(key):
                act(value)
        self._write(ALREADY, "\n".join([digest, *self.complaints]))
        return True

    def _read(self, text: str) -> dict[str, str]:
        """Read it as people write it: with any editor, with or without quotes."""
        settings: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            key, equals, value = line.partition("=")
            key, value = key.strip().lower(), value.strip()
            if not key or key.startswith("#"):
                continue
            if not equals or key not in KEYS:
                # Only its first word: the rest may be a password, and a screen shows this.
                self.complaints.append(f"line {number} was not understood: {key.split()[0]}")
            else:
                quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
                settings[key] = value[1:-1] if quoted else value
        return settings

    def _wifi(self, settings: dict[str, str]) -> None:
        name, password = settings.get("wifi", ""), settings.get("password", "")
        if not name:
            (self._root / CONNECTION).unlink(missing_ok=True)
            if password:
                self.complaints.append("there is a password, but no wifi that it belongs to")
            return
        if len(name.encode()) > LONGEST:
            self.complaints.append(f"the name of a Wi-Fi has at most {LONGEST} letters")
            return
        if password and not ASCII.fullmatch(password):
            self.complaints.append(
                "the password of a Wi-Fi has 8 to 63 letters, none with an accent"
            )
            return
        # Its name goes in as bytes, so that no letter of it can mean anything else.
        lines = ["[connection]", "id=companion.txt", f"uuid={uuid.uuid4()}", "type=wifi", "[wifi]"]
        lines += [f"ssid={';'.join(str(byte) for byte in name.encode())};"]
        if password:
            escaped = password.replace("\\", "\\\\").replace(" ", "\\s")
            lines += ["[wifi-security]", "key-mgmt=wpa-psk", f"psk={escaped}"]
        self._write(CONNECTION, "\n".join([*lines, ""]), 0o600)

    def _country(self, value: str) -> None:
        country = value.upper()
        if not re.fullmatch("[A-Z]{2}", country):
            self.complaints.append(f"a country has two letters, not {value}")
            return
        known = self._countries()
        if known and country not in known:
            self.complaints.append(f"{country} is no country here; the United Kingdom is GB")
            return
        self._write(COUNTRY, f"options cfg80211 ieee80211_regdom={country}\n")
        self._run(("iw", "reg", "set", country), "")

    def _countries(self) -> set[str]:
        """Read which countries the kernel knows the channels of; nothing where that is not said."""
        try:
            table = (self._root / CHANNELS).read_bytes()[8:]
        except OSError:
            return set()
        rows = (table[at : at + 4] for at in range(0, len(table), 4))
        listed = takewhile(lambda row: row[2:] != b"\0\0", rows)
        return {row[:2].decode("ascii", errors="replace") for row in listed}

    def _hotspot(self, value: str) -> None:
        if ASCII.fullmatch(value) and not set(value) & {'"', "\\"}:
            self._write(HOTSPOT, value, 0o600)
        else:
            self.complaints.append(
                "the table's own Wi-Fi needs a password of 8 to 63 letters, "
                "none with an accent, no quotes and no backslash"
            )

    def _seats(self, value: str) -> None:
        if value.isdecimal() and 2 <= int(value) <= 10:
            self._configure("table", "seats", str(int(value)))
        else:
            self.complaints.append(f"there can be 2 to 10 seats, not {value}")

    def _lamps(self, value: str) -> None:
        if value.lower() in LAMPS:
            self._configure("hardware", "lamps", f'"{value.lower()}"')
        else:
            self.complaints.append(f"lamps are led or none, not {value}")

    def _name(self, value: str) -> None:
        name = value.lower().removesuffix(".local")
        if not re.fullmatch("[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", name):
            self.complaints.append(f"a name has letters, digits and dashes, unlike {value}")
            return
        self._write("etc/hostname", f"{name}\n")
        self._write("etc/hosts", f"127.0.0.1\tlocalhost\n127.0.1.1\t{name}\n::1\tlocalhost\n")
        self._run(("hostname", name), "")
        names = dict.fromkeys(("companion.local", f"{name}.local"))
        self._configure("server", "names", "[" + ", ".join(f'"{one}"' for one in names) + "]")

    def _login(self, value: str) -> None:
        self._run(("chpasswd",), f"{USER}:{value}\n")

    def _configure(self, section: str, key: str, value: str) -> None:
        """Set one value in the table's configuration, and leave the rest as it is."""
        path = self._root / CONFIG
        lines = path.read_text().splitlines() if path.exists() else []
        if f"[{section}]" not in lines:
            lines += ["", f"[{section}]"]
        start = lines.index(f"[{section}]") + 1
        after = (n for n in range(start, len(lines)) if re.match(r"#?\[", lines[n]))
        end = next(after, len(lines))
        own = [n for n in range(start, end) if re.match(rf"{key}\s*=", lines[n])]
        place = own[0] if own else start
        lines[place : place + len(own[:1])] = [f"{key} = {value}"]
        text = "\n".join([*lines, ""])
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            self.complaints.append(f"{key} could not be written into /{CONFIG}; change it there")
        else:
            self._write(CONFIG, text)

    def _write(self, name: str, text: str, mode: int = 0o644) -> None:
        """Write a file whole or not at all."""
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.new")
        unfinished.write_text(text)
        unfinished.chmod(mode)
        unfinished.rename(path)


def run(command: Sequence[str], given: str) -> None:
    """Run a command; what it says goes where this program's words go."""
    subprocess.run(command, input=given, text=True, check=False)


def decoded(saved: bytes) -> str:
    """Read the letters as the editors of Windows save them, too."""
    if saved.startswith((b"\xff\xfe", b"\xfe\xff")):
        return saved.decode("utf-16", errors="replace")
    try:
        return saved.decode("utf-8-sig")
    except UnicodeDecodeError:
        return saved.decode("cp1252", errors="replace")


def main() -> None:
    """Read the file that was named, if it is there, and say how that went."""
    card = Path(sys.argv[1])
    if not card.exists():
        sys.exit(0)
    boot = FirstBoot(Path("/"), run)
    if boot.apply(decoded(card.read_bytes())):
        sys.stdout.write("companion.txt was read.\n")
    for complaint in boot.complaints:
        sys.stdout.write(f"companion.txt: {complaint}.\n")


if __name__ == "__main__":
    main()
