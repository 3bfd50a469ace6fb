"""Addresses of the table: each is found, and can still be built by whoever asks."""

from __future__ import annotations

from flask import Flask, url_for

from web.transport.url_rules import Address


def test_an_address_is_found_and_can_be_built() -> None:
    app = Flask(__name__)
    app.url_rule_class = Address

    @app.get("/seat/<int:number>")
    def seat(number: int) -> str:
        return url_for("seat", number=number + 1, colour="blue")

    assert app.test_client().get("/seat/3").text == "/seat/4?colour=blue"
    with app.test_request_context():
        assert url_for("seat", number=7) == "/seat/7"
