"""In the emulated machine, with three radios: the table opens its Wi-Fi, and a router returns."""

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
WAITED = Path("/run/table-companion-network/waited")
CONFIG = Path("/etc/table-companion/companion.toml")
PHONE = ("ip", "netns", "exec", "phone")
ROUTER = ("ip", "netns", "exec", "router")
HOME, SECRET = "Our House", "mostly harmless"
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
    """Open, join, ask, go home and come back, and tell all of it."""
    told: dict[str, Any] = {"name": "hotspot"}
    try:
        give_radios()
        know_home()
        told["alone"] = until(SAID.exists)
        hotspot = json.loads(SAID.read_text())
        told["hotspot"] = {**hotspot, "password": len(hotspot["password"])}
        told["joined"] = join(hotspot)
        if told["joined"]:
            told["address"] = run(*PHONE, "ip", "-4", "-o", "address", "show", "dev", "wlan1")
            told["named"] = name_found("captive.apple.com")
            told["asked"] = json.loads(run(*PHONE, "python3", "-c", ASKED) or "null")
        told["printed"] = until(lambda: "Wi-Fi:    Table Companion" in log("table-companion"))
        switch_the_router_on()
        search_soon()
        time.sleep(30)
        told["kept"] = SAID.exists()
        run(*PHONE, "wpa_cli", "-p", "/tmp/phone", "-i", "wlan1", "terminate")
        told["returned"] = until(searched_home)
        WISH.write_text("hotspot\n")
        told["wished"] = until(lambda: SAID.exists() and not at_home())
        WISH.write_text("home\n")
        told["closed"] = until(lambda: not SAID.exists())
        told["portal"] = run("systemctl", "is-active", "table-companion-portal").strip()
        told["home"] = until(at_home)
        CONFIG.write_text('[network]\nhotspot = "on"\n')
        told["configured"] = until(lambda: SAID.exists() and not at_home())
    finally:
        told["log"] = log("table-companion-network", "table-companion-portal", "NetworkManager")
        print("@@" + json.dumps(told), flush=True)


def give_radios() -> None:
    """One radio for the table; one for a phone and one for a router in networks of their own."""
    for module in Path("/modules/order").read_text().split():
        radios = ["radios=3"] if "hwsim" in module else []
        subprocess.run(["insmod", f"/modules/{module}", *radios], check=False)
    for radio, name in (("phy1", "phone"), ("phy2", "router")):
        run("ip", "netns", "add", name)
        run("iw", "phy", radio, "set", "netns", "name", name)
    run(*PHONE, "ip", "link", "set", "lo", "up")


def know_home() -> None:
    """Have the Pi know a Wi-Fi that is not there."""
    found = ("type", "wifi", "con-name", "home", "ifname", "wlan0", "ssid", HOME)
    locked = ("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", SECRET)
    fixed = (
        "ipv4.method",
        "manual",
        "ipv4.addresses",
        "192.168.77.2/24",
        "ipv6.method",
        "disabled",
    )
    run("nmcli", "connection", "add", *found, *locked, *fixed)


def switch_the_router_on() -> None:
    """Let the known Wi-Fi return."""
    lines = (f'ssid="{HOME}"', f'psk="{SECRET}"', "mode=2", "frequency=2437", "key_mgmt=WPA-PSK",
             "proto=RSN", "pairwise=CCMP")  # fmt: skip
    inside = "\n".join(lines)
    Path("/tmp/router.conf").write_text(f"ctrl_interface=/tmp/router\nnetwork={{\n{inside}\n}}\n")
    run(*ROUTER, "wpa_supplicant", "-B", "-i", "wlan2", "-c", "/tmp/router.conf")


def at_home() -> bool:
    """Whether the Pi is in the Wi-Fi that it knows."""
    active = run("nmcli", "-t", "-f", "NAME,STATE", "connection", "show", "--active")
    return "home:activated" in active.split()


def searched_home() -> bool:
    """Whether the Pi is at home by now; if not, it looks for that at once."""
    search_soon()
    return at_home()


def search_soon() -> None:
    """Let nearly all the minutes have passed after which the table looks for that Wi-Fi."""
    WAITED.write_text("119\n")


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
