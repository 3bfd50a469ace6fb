"""The hall's certificates: taken by the strictest reader, and by tables that joined long ago."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from companion.hall.broker.certificates import certificates

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")


def test_a_strict_reader_takes_what_the_hall_shows(tmp_path):
    authority = certificates(tmp_path, ["companion.local", "10.0.0.7"])
    for name in ("127.0.0.1", "localhost", "companion.local", "10.0.0.7"):
        greet(tmp_path / "hall.pem", authority.read_text(), name, strict=True)
    with pytest.raises(ssl.SSLCertVerificationError):
        greet(tmp_path / "hall.pem", authority.read_text(), "elsewhere.local", strict=True)


def test_a_second_start_changes_nothing(tmp_path):
    certificates(tmp_path, ["companion.local"])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    certificates(tmp_path, ["companion.local"])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_another_name_takes_another_certificate_and_the_same_authority(tmp_path):
    authority = certificates(tmp_path, ["companion.local"])
    known = authority.read_text()
    certificates(tmp_path, ["kitchen.local"])
    assert authority.read_text() == known
    greet(tmp_path / "hall.pem", known, "kitchen.local", strict=True)


def test_an_authority_of_an_earlier_version_is_mended_and_its_tables_still_know_the_hall(tmp_path):
    earlier = earlier_authority(tmp_path)
    authority = certificates(tmp_path, [])
    greet(tmp_path / "hall.pem", authority.read_text(), "127.0.0.1", strict=True)
    greet(tmp_path / "hall.pem", earlier, "127.0.0.1", strict=False)


def earlier_authority(folder: Path) -> str:
    """Make what version 0.1.0 made, which says nowhere what its key is for."""
    made = ("-keyout", folder / "authority.key", "-out", folder / "authority.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 7300"
    subprocess.run(
        [*command.split(), "-subj", "/CN=Table Companion hall", *made],
        check=True,
        capture_output=True,
    )
    return (folder / "authority.pem").read_text()


def greet(shown: Path, trusted: str, name: str, *, strict: bool) -> None:
    """Shake hands with whoever shows this certificate, as Python 3.13 does or as earlier ones."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(shown)
    client = ssl.create_default_context(cadata=trusted)
    if strict:
        client.verify_flags |= ssl.VERIFY_X509_STRICT
    near, far = socket.socketpair()
    with near, far:
        answering = threading.Thread(target=answer, args=(server, far))
        answering.start()
        try:
            client.wrap_socket(near, server_hostname=name).close()
        finally:
            near.close()
            answering.join()


def answer(server: ssl.SSLContext, far: socket.socket) -> None:
    try:
        server.wrap_socket(far, server_side=True).close()
    except OSError:
        far.close()
