"""Why the hall refuses something: a code for the page, and its sentence."""

from __future__ import annotations

from companion.hall.commands import LONGEST, MOST_PEOPLE

ENGLISH = {
    "nobody_there": "That person is not on the list.",
    "no_name": "Nobody can be on the list without a name.",
    "long_name": f"A name can have up to {LONGEST} letters. Too long: {{names}}.",
    "same_name": "On the list already: {names}. Add a letter to tell them apart.",
    "full": f"A hall has room for {MOST_PEOPLE} people.",
    "closed_list": "Sign-up is closed. Ask at the desk.",
    "same_person": "Pick two different people.",
    "sizes": "A table needs at least two people, and the most can't be less than the fewest.",
    "edition": "A hall plays one of the printed editions, or leaves it to the tables.",
    "free": "Nothing is drawn in a free evening: every table plays as it likes.",
    "nobody": "There are too few people on the list for a round.",
    "final": "The final has been played.",
    "results_missing": "Some results of this round are missing. Enter them, or draw anyway.",
    "played": "This round has results already and can't be drawn again.",
    "no_round": "There is no such round.",
    "not_seated": "Only people in the current round can swap places.",
    "no_table": "That table doesn't play in that round.",
    "wrong_people": "Those aren't the people at that table.",
    "no_clock": "No clock is running.",
    "stale": "The hall has changed in the meantime. Take another look and try again.",
    "not_joined": "No table in this hall has that number.",
    "table_taken": "Another table in this hall has that number. Choose a different one.",
    "has_left": "Somebody you chose has left.",
    "no_reason": "Say why the result is different.",
    "no_user": "This hall's broker has no user for a table with that number. Ask at the desk.",
}


class HallRefusal(Exception):
    """Not possible now, for the reason that the code gives; nothing was recorded."""

    def __init__(self, code: str, **parts: str) -> None:
        super().__init__(ENGLISH[code].format(**parts))
        self.code = code
        self.parts = parts
