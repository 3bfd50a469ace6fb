"""URL rules: Flask's own, without the half that the table never uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


class Address(Rule):
    """A rule that learns to build its address only when somebody asks for that.

    Werkzeug writes and compiles two functions a rule for it, which is most of what they all cost.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        compiled = super()._compile_builder

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build
