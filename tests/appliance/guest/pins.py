"""In the emulated machine: starts the table's unit in each way, presses a button, and tells."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

UNIT = "table-companion"
DROP_IN = Path(f"/etc/systemd/system/{UNIT}.service.d/act.conf")
CONFIG = Path(f"/etc/{UNIT}/companion.toml")
SIMULATED = Path("/sys/kernel/config/gpio-sim/table")
ADDRESS = "http://127.0.0.1:8080"


def make_pins() -> Path:
    """Make a chip that looks like a Pi's, with the rights that Raspberry Pi OS gives to its own."""
    for module in Path("/modules/order").read_text().split():
        subprocess.run(["insmod", f"/modules/{module}"], check=True)
    if not Path("/sys/kernel/config/gpio-sim").exists():
        subprocess.run(["mount", "-t", "configfs", "none", "/sys/kernel/config"], check=True)
    (SIMULATED / "bank0").mkdir(parents=True)
    (SIMULATED / "bank0/num_lines").write_text("54")
    (SIMULATED / "bank0/label").write_text("pinctrl-bcm2711")
    (SIMULATED / "live").write_text("1")
    device = (SIMULATED / "dev_name").read_text().strip()
    chip = (SIMULATED / "bank0/chip_name").read_text().strip()
    subprocess.run(["chgrp", "gpio", f"/dev/{chip}"], check=True)
    os.chmod(f"/dev/{chip}", 0o660)
    return Path("/sys/devices/platform", device, chip)


def play(act: dict[str, Any], lines: Path) -> dict[str, Any]:
    """Start the table in this way, press the first button if it opens, and stop it."""
    DROP_IN.parent.mkdir(exist_ok=True)
    DROP_IN.write_text(act["unit"])
    CONFIG.write_text(act["config"])
    pull = lines / f"sim_gpio{act['pin']}" / "pull"
    pull.write_text("pull-up")
    systemctl("daemon-reload")
    systemctl("reset-failed", UNIT)
    opened = systemctl("restart", UNIT) == 0
    presses = factory = huge = None
    if opened:
        huge = huge_pages()
        pull.write_text("pull-down")
        time.sleep(2)
        pull.write_text("pull-up")
        with urllib.request.urlopen(f"{ADDRESS}/api/hardware", timeout=60) as answer:
            hardware = json.load(answer)
        factory, presses = hardware["factory"], [one["presses"] for one in hardware["buttons"]]
    systemctl("stop", UNIT)
    log = subprocess.run(
        ["journalctl", "-q", "-o", "cat", "-n", "20", "-u", UNIT], capture_output=True, text=True
    ).stdout
    found = {"opened": opened, "factory": factory, "presses": presses, "huge": huge, "log": log}
    return {**act, **found}


def huge_pages() -> list[str]:
    """What the kernel says of huge pages for the processes of the table, the last one first."""
    group = Path(f"/sys/fs/cgroup/system.slice/{UNIT}.service/cgroup.procs")
    status = [Path(f"/proc/{pid}/status").read_text() for pid in group.read_text().split()]
    lines = [line for text in status for line in text.splitlines() if "THP_enabled" in line]
    return [line.split()[1] for line in reversed(lines)]


def systemctl(*words: str) -> int:
    """Ask systemd for something, and tell how that ended."""
    return subprocess.run(["systemctl", *words], capture_output=True).returncode


def main() -> None:
    """Play every act."""
    lines = make_pins()
    for act in json.loads(Path("/acts.json").read_text()):
        print("@@" + json.dumps(play(act, lines)), flush=True)


if __name__ == "__main__":
    main()
