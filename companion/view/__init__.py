"""The view: what every screen and every lamp shows, as a pure function of the table."""

from companion.view.compose import view
from companion.view.shape import View

__all__ = ["View", "view"]
