"""The hall's certificates: an authority of its own, by which tables know it, and one it shows."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path

from companion.common.whole_file import write_whole

NO_OPENSSL = "The hall makes its certificate with openssl: sudo apt install openssl"
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
# Nothing is left to the system's own file: Python 3.13 and later take only what says all of this.
EXTENSIONS = """\
[req]
distinguished_name = named_elsewhere
[named_elsewhere]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[hall]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {names}
"""


class NoCertificate(Exception):
    """The broker cannot be started, for the reason that the sentence gives."""

    exit_code = 2


def certificates(folder: Path, names: Iterable[str]) -> Path:
    """Make the hall's authority once, and with it a certificate for its names of today.

    An authority that a strict reader would not take is written anew with the key that it has, so
    that tables which joined by the earlier one still know the hall.
    """
    authority, own_key = folder / "authority.pem", folder / "authority.key"
    wanted = ",".join(
        dict.fromkeys(_alternative(name) for name in ["localhost", "127.0.0.1", *names])
    )
    if not (authority.exists() and own_key.exists()):
        _write_authority(authority, own_key)
    elif not _signs(authority):
        _write_authority(authority, own_key, "-key", own_key)
    own = folder / "hall.pem"
    if not (_was_made_for(folder, wanted) and _stands(authority, own)):
        signed: list[str | Path] = ["-CA", authority, "-CAkey", own_key, "-subj", "/CN=hall"]
        write_whole(own, "".join(_certify("hall", *NEW_KEY, *signed, names=wanted)).encode())
        write_whole(folder / "names", wanted.encode())
    return authority


def _write_authority(authority: Path, own_key: Path, *key: str | Path) -> None:
    """Write the authority with this key, or with a new one.

    Tables know the hall by it from now on, so it has to outlive a power cut; the key is kept first.
    """
    made_key, made = _certify("authority", *(key or NEW_KEY), "-subj", "/CN=Table Companion hall")
    if not key:
        write_whole(own_key, made_key.encode())
    write_whole(authority, made.encode())


def _certify(kind: str, *words: str | Path, names: str = "DNS:hall") -> tuple[str, str]:
    """Make a certificate of a kind; give its key and itself."""
    with tempfile.TemporaryDirectory() as scratch:
        key, made, said = Path(scratch, "key"), Path(scratch, "made"), Path(scratch, "said")
        said.write_text(EXTENSIONS.format(names=names))
        how = ("-config", said, "-extensions", kind, "-nodes", "-days", "7300")
        done = _openssl("req", "-x509", *words, *how, "-keyout", key, "-out", made)
        if done.returncode:
            why = done.stderr.strip().splitlines()
            raise NoCertificate(
                f"openssl makes no certificate: {why[-1] if why else done.returncode}"
            )
        return key.read_text(), made.read_text()


def _was_made_for(folder: Path, wanted: str) -> bool:
    there = all((folder / name).exists() for name in ("hall.pem", "names"))
    return there and (folder / "names").read_text() == wanted


def _signs(authority: Path) -> bool:
    """Whether it says that its key is for certificates."""
    answer = _openssl("x509", "-in", authority, "-noout", "-ext", "keyUsage")
    return "Certificate Sign" in answer.stdout


def _stands(authority: Path, certificate: Path) -> bool:
    """Whether a strict reader takes it, whatever the time is here: a Pi may not know it yet."""
    strict = ("-x509_strict", "-no_check_time", "-CAfile", authority)
    return _openssl("verify", *strict, certificate).returncode == 0


def _alternative(name: str) -> str:
    try:
        return f"IP:{ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def _openssl(*words: str | Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["openssl", *words], capture_output=True, text=True, check=False, umask=0o077
        )
    except FileNotFoundError:
        raise NoCertificate(NO_OPENSSL) from None
