"""In the emulated machine: two radios; the table opens its Wi-Fi, and a phone joins it."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

SAID = Path("/run/table-companion-network/hotspot.json")
WISH = Path("/run/table-companion/network-wish")
PHONE = ("ip", "netns", "exec", "phone")
PATIENCE = 1200
ASKED = """
import http.client, json
table = http.client.HTTPConnection("10.42.0.1", 8080, timeout=30)
table.request("GET", "/healthz")
health = table.getresponse().status
probe = http.client.HTTPConnection("10.42.0.1", 80, timeout=30)
probe.request("GET", "/hotspot-detect.html", headers={"Host": "captive.apple.com"})
answer = probe.getresponse()
print(json.dumps([health, answer.status, answer.getheader("Location")]))
"""


def main() -> None:
    """Open, join, ask, close, and tell all of it."""
    told: dict[str, Any] = {"name": "hotspot"}
    try:
        give_radios()
        told["alone"] = until(SAID.exists)
        hotspot = json.loads(SAID.read_text())
        told["hotspot"] = {**hotspot, "password": len(hotspot["password"])}
        told["joined"] = join(hotspot)
        if told["joined"]:
            told["address"] = run(*PHONE, "ip", "-4", "-o", "address", "show", "dev", "wlan1")
            told["named"] = name_found("captive.apple.com")
            told["asked"] = json.loads(run(*PHONE, "python3", "-c", ASKED) or "null")
        told["printed"] = until(lambda: "Wi-Fi:    Table Companion" in log("table-companion"))
        WISH.write_text("home\n")
        told["closed"] = until(lambda: not SAID.exists())
        told["portal"] = run("systemctl", "is-active", "table-companion-portal").strip()
    finally:
        told["log"] = log("table-companion-network", "table-companion-portal", "NetworkManager")
        print("@@" + json.dumps(told), flush=True)


def give_radios() -> None:
    """One radio for the table, and one for a phone in a network of its own."""
    for module in Path("/modules/order").read_text().split():
        radios = ["radios=2"] if "hwsim" in module else []
        subprocess.run(["insmod", f"/modules/{module}", *radios], check=False)
    run("ip", "netns", "add", "phone")
    run("iw", "phy", "phy1", "set", "netns", "name", "phone")
    run(*PHONE, "ip", "link", "set", "lo", "up")


def join(hotspot: dict[str, str]) -> bool:
    """Join as a phone does that has read the code."""
    lines = (f'ssid="{hotspot["name"]}"', f'psk="{hotspot["password"]}"', "scan_ssid=1")
    inside = "\n".join(lines)
    Path("/tmp/phone.conf").write_text(f"ctrl_interface=/tmp/phone\nnetwork={{\n{inside}\n}}\n")
    run(*PHONE, "wpa_supplicant", "-B", "-i", "wlan1", "-c", "/tmp/phone.conf")
    status = ("wpa_cli", "-p", "/tmp/phone", "-i", "wlan1", "status")
    if not until(lambda: "wpa_state=COMPLETED" in run(*PHONE, *status)):
        return False
    run(*PHONE, "dhclient", "-1", "-sf", "/bin/true", "-lf", "/tmp/leases", "wlan1")
    leases = Path("/tmp/leases")
    given = leases.read_text().split("fixed-address ")[-1] if leases.exists() else ""
    address = given.partition(";")[0]
    run(*PHONE, "ip", "address", "add", f"{address}/24", "dev", "wlan1")
    return bool(address)


def name_found(name: str) -> str:
    """Ask the table's DNS for a name; from the phone's network, in a process of its own."""
    question = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    query = struct.pack(">6H", 7, 0x0100, 1, 0, 0, 0) + question + struct.pack(">BHH", 0, 1, 1)
    script = (
        "import socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        "s.settimeout(30); s.sendto(bytes.fromhex(sys.argv[1]), ('10.42.0.1', 53)); "
        "print(s.recv(512)[-4:].hex())"
    )
    said = run(*PHONE, "python3", "-c", script, query.hex()).strip()
    return socket.inet_ntoa(bytes.fromhex(said)) if len(said) == 8 else said


def until(what: Any) -> bool:
    """Wait for something, but not for ever."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(1)
    return False


def run(*command: str) -> str:
    """Run a command and give what it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def log(*units: str) -> str:
    """What these units have said."""
    named = [word for unit in units for word in ("-u", unit)]
    return run("journalctl", "-q", "-o", "cat", "-n", "200", *named)


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    main()
