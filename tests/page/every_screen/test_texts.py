"""The page speaks five languages, and each of them knows every text of the page and the table."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.common import refusals
from companion.hall.table import membership
from companion.keeping import backups
from companion.referee import english
from companion.referee.model.cards import COLOURS
from companion.referee.model.edition import PRINTED
from companion.service import staleness
from companion.settings import edition_file
from companion.view import next_step
from hatch_build import named
from web import app

ROOT = Path(__file__).resolve().parents[3]
STATIC = ROOT / "web" / "static"
OTHERS = ("es", "fr", "de", "pt")
LANGUAGES = ("en", *OTHERS)

# The table says these in English by itself, so that only the others have them in their catalogue.
THE_TABLES_OWN = ("cards.", "sentences.", "answers.")

# The debts are listed by the page, so that this code is never said alone.
NEVER_ALONE = {"next.owes"}

# A hint is an English sentence inside another, for people who write programs.
FOR_PROGRAMMERS = {"hint"}

# The same word in both languages, or a name that is not translated.
SAME_AS_ENGLISH = {
    "en": {
        "common.title": "the name of the program",
        "race.ms": "a unit",
        "statistics.ms": "a unit",
    },
    "es": {
        "house.no": "the same word",
        "lookup.no": "the same word",
        "past.total": "the same word",
        "sentences.choice_no": "the same word",
    },
    "fr": {
        "bar.menu": "the same word",
        "bar.sheet": "the same word",
        "challenge.innocent": "the same word",
        "count.points.one": "the same word",
        "count.points.other": "the same word",
        "felt.dealer_short": "a D as in distribue",
        "felt.points": "the same word",
        "pair.code": "the same word",
        "recovery.code": "the same word",
        "past.file.scores": "the same word",
        "past.total": "the same word",
        "rules.r16.title": "the same word",
        "sentences.step_correct": "the same word",
    },
    "de": {"pair.code": "the same word", "recovery.code": "the same word"},
    "pt": {
        "bar.menu": "the same word",
        "felt.dealer_short": "a D as in dá as cartas",
        "past.total": "the same word",
    },
}


def flat(branch: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in branch.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def catalogue(language: str) -> dict[str, str]:
    return dict(flat(json.loads((STATIC / "texts" / f"{language}.json").read_text())))


def page_texts(language: str) -> dict[str, str]:
    return {k: v for k, v in catalogue(language).items() if not k.startswith(THE_TABLES_OWN)}


def parts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def refused_by_the_web() -> Iterator[tuple[str, set[str]]]:
    """Every code that the doors themselves refuse with, and the parts that come beside it."""
    for code, _message in app.SENTENCES.values():
        yield code, set()
    for source in sorted((ROOT / "web").rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            match node:
                case ast.Call(
                    func=ast.Name(id="error" | "TurnedAway"),
                    args=[_, ast.Constant(value=str(code)), *_],
                    keywords=given,
                ):
                    yield code, {word.arg for word in given if word.arg} - {"retry_after"}
                case _:
                    pass


def spoken() -> dict[str, set[str]]:
    """Every code that the table can say, and the parts of its sentence."""
    with_text = {
        **english.ENGLISH,
        **next_step.ENGLISH,
        **refusals.ENGLISH,
        **staleness.ENGLISH,
        **membership.ENGLISH,
    }
    codes = {code: parts(text) - FOR_PROGRAMMERS for code, text in with_text.items()}
    for code, given in refused_by_the_web():
        codes.setdefault(code, given)
    return {code: given for code, given in codes.items() if code not in NEVER_ALONE}


def key_of(code: str) -> str:
    """Where a language has its words for a code: answers come later than what a view may say."""
    by_itself = {*english.RULINGS, *english.QUESTIONS, *english.STEPS, *next_step.ENGLISH}
    return f"{'sentences' if code in by_itself else 'answers'}.{code.replace('.', '_')}"


def test_the_page_offers_every_language_that_has_a_catalogue() -> None:
    source = (STATIC / "js/device/language.js").read_text()
    offered = re.search(r"const LANGUAGES = (\[.*?\]);", source)
    assert offered
    assert sorted(json.loads(offered[1])) == sorted(LANGUAGES)
    assert sorted(file.stem for file in (STATIC / "texts").iterdir()) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text_of_the_page_and_none_besides(language: str) -> None:
    assert page_texts(language).keys() == page_texts("en").keys()


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_has_the_same_parts_in_every_language(language: str) -> None:
    told = {key: parts(text) for key, text in page_texts(language).items()}
    assert told == {key: parts(text) for key, text in page_texts("en").items()}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_sentence_of_the_table_with_its_parts(language: str) -> None:
    told = {
        key: parts(text)
        for key, text in catalogue(language).items()
        if key.startswith(("sentences.", "answers."))
    }
    assert told == {key_of(code): given for code, given in spoken().items()}


def test_every_sentence_is_made_where_this_test_looks_for_it() -> None:
    makers = set()
    for source in (ROOT / "companion").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="Sentence")):
                    makers.add(source.relative_to(ROOT / "companion").as_posix())
                case _:
                    pass
    assert makers == {"referee/sentences.py"}


def test_english_leaves_the_tables_sentences_to_the_table() -> None:
    assert not [key for key in catalogue("en") if key.startswith(THE_TABLES_OWN)]


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_a_title_for_every_card_and_a_word_for_every_colour(language: str) -> None:
    own = catalogue(language)
    faces = [face for edition in PRINTED for face in edition.faces if face.act != "number"]
    titles = {face.title for face in faces}
    for title in edition_file.TITLES.values():
        titles |= {title.format(count=count) for count in edition_file.COUNTS[1:]}
    wanted = {f"cards.titles.{title.lower().replace(' ', '_')}" for title in titles}
    wanted |= {f"cards.colours.{colour}" for colour in (*COLOURS, "none")}
    assert {key for key in own if key.startswith("cards.")} == wanted


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_was_left_in_english(language: str) -> None:
    own, original = catalogue(language), catalogue("en")
    for code, text in {**english.ENGLISH, **next_step.ENGLISH, **refusals.ENGLISH}.items():
        original[key_of(code)] = text
    same = {
        key
        for key, text in own.items()
        if text == original.get(key) and re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text))
    }
    same = {key for key in same if own[key] != "UNO" and not key.startswith("language.names.")}
    assert same == SAME_AS_ENGLISH["en"].keys() | SAME_AS_ENGLISH[language].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_plain_and_tidy(language: str) -> None:
    for key, text in catalogue(language).items():
        assert text, key
        assert not re.search(r"[<>&\t\n]|  ", text), key
        assert text == text.strip() or key == "list.separator", key
        assert re.sub(r"\{\w+\}", "", text).count("{") == 0, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_called_by_its_own_name_everywhere(language: str) -> None:
    names = {key: text for key, text in catalogue(language).items() if ".names." in key}
    assert names == {key: text for key, text in catalogue("en").items() if ".names." in key}
    assert len(set(names.values())) == len(LANGUAGES)


def test_french_keeps_its_marks_on_the_line() -> None:
    broken = [key for key, text in catalogue("fr").items() if re.search(r"[^\u00a0][!?:;]", text)]
    assert broken == []


def test_spanish_opens_its_questions_and_exclamations() -> None:
    for text in catalogue("es").values():
        assert text.count("?") == text.count("¿")
        assert text.count("!") == text.count("¡")


def page_source() -> str:
    """All modules of the page, without the lines that name other modules."""
    lines = [
        line for file in (STATIC / "js").rglob("*.js") for line in file.read_text().splitlines()
    ]
    return "\n".join(line for line in lines if not line.startswith("import "))


def test_every_text_that_the_page_asks_for_is_there() -> None:
    named = set(re.findall(r'"((?:[a-z_]+\.)+[a-z_]+)"', page_source()))
    codes = tuple(spoken())
    asked = {name for name in named if not any(code.startswith(name) for code in codes)}
    assert asked - page_texts("en").keys() == set()


def test_the_recovery_page_says_all_of_its_texts_by_itself() -> None:
    source = (ROOT / "web/templates/safe.html").read_text()
    source += (ROOT / "web/server/recovery_page.py").read_text()
    asked = set(re.findall(r'"(recovery\.\w+)"', source))
    asked |= {f"recovery.kind.{kind}" for kind in backups.KINDS}
    assert {key for key in page_texts("en") if key.startswith("recovery.")} == asked


def test_no_text_lies_idle() -> None:
    source = page_source()
    written = set(re.findall(r'"(\w+(?:\.\w+)+)"', source))
    composed = [
        re.compile(r"\w+".join(re.escape(piece) for piece in re.split(r"\$\{[^}]*\}", template)))
        for template in re.findall(r"`(\w+\.[^`]*\$\{[^`]*)`", source)
    ]
    idle = {key for key in page_texts("en").keys() - written if not key.startswith("recovery.")}
    assert {key for key in idle if not any(made.fullmatch(key) for made in composed)} == set()


@pytest.mark.parametrize(
    ("script", "kept"),
    [
        pytest.param('t("bar.stop")', {"stop", "stop_all"}, id="one is named, or begins a name"),
        pytest.param("t(`bar.${which}`)", {"play", "stop", "stop_all"}, id="put together"),
        pytest.param('["bar", "rules"]', set(), id="only a word that looks like the section"),
    ],
)
def test_a_page_is_given_the_texts_that_its_scripts_name(script: str, kept: set[str]) -> None:
    texts = {"bar": {"play": "Play", "stop": "Stop", "stop_all": "Stop all"}}
    assert named(texts, script).get("bar", {}).keys() == kept
