"""What the service itself refuses, beside the referee: the stale, the unsaved, the unreadable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from companion.referee.sentences import Part, Refusal, RefusalKind, also_say, say

CONFLICT = {
    "stale": "In the meantime: {changed}. Take another look, and try again if it still fits.",
    "stale_for_long": "Too much has happened since version {version}. Look again, and try again.",
    "version_ahead": "This table is at version {current}, not {version}. Reload the page.",
    "id_reused": "The id {id} was already used for something else. Send a new id.",
    "forget_running": "Match {number} is still on. It can be forgotten once it is closed.",
    "forget_seated": "{name} sits at the table. The name can be forgotten once they have left.",
    "forget_stand_in": "{name} is a number for somebody without a name; nothing to forget.",
    "forget_moved": "The table went on in the meantime, so nothing was forgotten. Try again.",
    "forget_damaged": "The journal is damaged ({why}), so nothing was forgotten.",
}
UNAVAILABLE = {
    "not_saved": "That could not be saved ({trouble}), so it doesn't count. Try again.",
    "busy": "The table has {waiting} requests to work through. Try again in a moment.",
    "stopping": "The table is being shut down.",
    "forget_not_saved": "That could not be saved ({trouble}), so nothing was forgotten.",
}
MISTAKE = {
    "bug": "That was a mistake in the program itself. Nothing was changed.",
}
MISSING = {
    "forget_no_match": "There is no match {number} here; maybe it was forgotten already.",
    "forget_no_name": "There is nobody called {name} here; maybe the name was forgotten already.",
}
LATER = {
    "forget_busy": "Something else is being forgotten. Try again in a moment.",
}
UNCLEAR = {
    "not_json": "The request is not JSON: {why}.",
    "not_an_object": "A request is a JSON object with id, kind and version.",
    "no_kind": "The request has no kind. For instance: {example}.",
    "unknown_kind": "There is no request of the kind {kind}.{hint}",
    "not_from_a_screen": "A {kind} comes from the table's own buttons, not from a screen.",
    "no_id": "The request has no id. Give each one a new id, and repeat the id when retrying.",
    "bad_id": "An id is a text of 8 to 64 letters, digits, dashes or underscores, such as a UUID.",
    "bad_version": "The version is a whole number: the one your screen shows.",
    "missing_field": "{kind} needs {fields}.",
    "unknown_field": "{kind} knows no field {field}.{hint}",
    "wrong_value": "The field {field} does not fit: {why}.",
}
SENTENCES: Mapping[RefusalKind, Mapping[str, str]] = {
    "conflict": CONFLICT,
    "unavailable": UNAVAILABLE,
    "mistake": MISTAKE,
    "missing": MISSING,
    "later": LATER,
    "unclear": UNCLEAR,
}
"""Every code that the service can answer with, in English, by what kind of refusal it is."""
ENGLISH = {code: text for texts in SENTENCES.values() for code, text in texts.items()}
KINDS = {code: kind for kind, texts in SENTENCES.items() for code in texts}
also_say(ENGLISH)


def service_refusal(code: str, **parts: Part) -> Refusal:
    """Make the refusal that says this sentence of the service."""
    return Refusal(say(code, **parts), kind=KINDS[code])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Offer the nearest known word, with a space before it, or nothing."""
    near = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f" Did you mean {near[0]}?" if near else ""
