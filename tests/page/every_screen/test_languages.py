"""Each device speaks its own language, the page's words and the table's alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import expect

from companion.past.review.race_review import Why
from companion.referee.model.table import How
from hardware.outputs.lamps import LampState
from tests.kit.served import Served
from tests.page.fingers import Fingers

TEXTS = Path(__file__).resolve().parents[3] / "web" / "static" / "texts"

Speaking = Callable[[str], Fingers]


@pytest.fixture
def speaking(served: Served, screens: Callable[..., Fingers]) -> Speaking:
    """Opens the referee's tablet in a browser of a country; no page may miss a text."""

    def open_tablet(country: str) -> Fingers:
        fingers = screens(served, country=country)
        fingers.open(served.link)
        return fingers

    return open_tablet


@pytest.fixture
def reading(quiet: Served, screens: Callable[..., Fingers]) -> Speaking:
    """Opens a tablet in a browser of a country at a table that stays as it is."""

    def open_tablet(country: str) -> Fingers:
        fingers = screens(quiet, country=country)
        fingers.open(quiet.link)
        return fingers

    return open_tablet


@pytest.fixture
def table(served: Served) -> Served:
    """Ana, Ben and Cam play refereed, a red 5 lies on top, and it is Ben's turn."""
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        done(served, "sit", name=name)
    done(served, "set_up", way="refereed")
    done(served, "start_match")
    done(served, "choose_dealer", seat=1)
    done(served, "deal")
    done(served, "turn_up", card="red-5")
    return served


def done(served: Served, kind: str, **fields: Any) -> None:
    answer = served.do(kind, **fields)
    assert answer.status == 200, answer


def say(fingers: Fingers, function: str, *given: Any) -> Any:
    """Ask the page how it says something."""
    script = """async ([name, given]) => {
        const { texts } = await parts();
        await texts.loadAllTexts();
        return texts[name](...given);
    }"""
    return fingers.page.evaluate(script, [function, given])


@pytest.mark.parametrize(
    ("country", "language", "first"),
    [
        pytest.param("en-GB", "en", "Press your button to sit down.", id="an English tablet"),
        pytest.param("es-MX", "es", "Pulsa tu botón para sentarte.", id="a Mexican tablet"),
        pytest.param("fr-FR", "fr", "Appuie sur ton bouton pour t’asseoir.", id="a French tablet"),
        pytest.param("de-AT", "de", "Drück deinen Knopf, um dich zu setzen.", id="an Austrian one"),
        pytest.param("pt-BR", "pt", "Aperte seu botão para sentar.", id="a Brazilian tablet"),
        pytest.param("ja-JP", "en", "Press your button to sit down.", id="no catalogue: English"),
    ],
)
def test_a_device_begins_in_the_language_of_its_browser(
    reading: Speaking, country: str, language: str, first: str
) -> None:
    tablet = reading(country)
    tablet.says(first)
    expect(tablet.page.locator("html")).to_have_attribute("lang", language)


def test_a_language_is_chosen_in_the_menu_and_kept_on_this_device_alone(reading: Speaking) -> None:
    chosen, other = reading("en-GB"), reading("en-GB")
    chosen.tap("Menu")
    chosen.page.get_by_role("radio", name="Deutsch").click()
    chosen.says("Drück deinen Knopf")
    expect(chosen.page.get_by_role("heading", name="Menü")).to_be_visible()
    expect(chosen.page.get_by_role("radio", name="Deutsch")).to_be_checked()
    chosen.page.reload()
    chosen.live()
    chosen.says("Drück deinen Knopf")
    other.says("Press your button")


@pytest.mark.parametrize(
    ("country", "turn", "illegal", "hit", "step"),
    [
        pytest.param(
            "es-ES",
            "Es el turno de Ben.",
            "No puedes jugar 7 azul sobre 5 rojo: el color es rojo.",
            "Roba Dos: Cam roba 2 y pierde el turno.",
            "Ben juega Roba Dos rojo",
            id="es",
        ),
        pytest.param(
            "fr-FR",
            "À Ben de jouer.",
            "Tu ne peux pas jouer 7 bleu sur 5 rouge : la couleur est rouge.",
            "+2 : Cam pioche 2 et passe son tour.",
            "Ben joue +2 rouge",
            id="fr",
        ),
        pytest.param(
            "de-DE",
            "Ben ist dran.",
            "Blau 7 kannst du nicht auf Rot 5 legen: Die Farbe ist Rot.",
            "Zieh Zwei: Cam zieht 2 und setzt aus.",
            "Ben spielt Rot Zieh Zwei",
            id="de",
        ),
        pytest.param(
            "pt-BR",
            "É a vez de Ben.",
            "Você não pode jogar 7 azul sobre 5 vermelho: a cor é vermelho.",
            "Comprar Duas: Cam compra 2 e perde a vez.",
            "Ben joga Comprar Duas vermelho",
            id="pt",
        ),
    ],
)
def test_turns_questions_rulings_and_steps_are_said_in_the_language(
    speaking: Speaking, table: Served, country: str, turn: str, illegal: str, hit: str, step: str
) -> None:
    tablet = speaking(country)
    tablet.says(turn)
    tablet.card("blue-7")
    expect(tablet.page.locator("dialog .quote")).to_contain_text(illegal)
    tablet.close_dialog()
    tablet.card("red-draw")
    tablet.ruled(hit)
    expect(tablet.page.locator(".step").first).to_contain_text(step)


def test_cards_that_are_owed_are_listed_in_the_language(speaking: Speaking, served: Served) -> None:
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        done(served, "sit", name=name)
    done(served, "start_match")
    done(served, "choose_dealer", seat=1)
    done(served, "deal")
    for seat in (1, 2):
        done(served, "catch", seat=seat)
    done(served, "go_out", seat=3)
    tablet = speaking("es-ES")
    tablet.says("Cam se quedó sin cartas. Ana roba 2, Ben roba 2; después, a contar")


def test_a_stale_tap_hears_in_its_language_what_changed(speaking: Speaking, table: Served) -> None:
    tablet = speaking("de-DE")
    version = table.table["version"]
    done(table, "play", card="red-draw")
    late = table.do("play", card="red-7", version=version).json
    assert say(tablet, "explained", late).startswith("Inzwischen: Ben spielt Rot Zieh Zwei. ")
    done(table, "undo")
    late = table.do("play", card="red-7", version=table.table["version"] - 1).json
    told = say(tablet, "explained", late)
    assert told.startswith("Inzwischen: zurückgenommen: Ben spielt Rot Zieh Zwei. ")


def test_a_time_has_the_decimal_sign_of_the_language(reading: Speaking) -> None:
    tablet = reading("fr-FR")
    call = {"code": "called_before", "text": "", "parts": {"name": "1.5", "seconds": "1.3"}}
    assert say(tablet, "sentenceText", call).startswith("1.5 avait dit UNO 1,3 s")
    assert say(tablet, "t", "race.ms", {"ms": "-12.5"}) == "-12,5 ms"


def test_whatever_the_table_tells_in_a_word_has_a_text() -> None:
    texts = json.loads((TEXTS / "en.json").read_text())
    lamps = {state.value.replace(" ", "_").replace("-", "_") for state in LampState}
    assert texts["hardware"]["lamp"].keys() == lamps | {"tested"}
    assert texts["look"]["why"].keys() == set(get_args(Why)) - {"slap"}
    assert texts["look"]["how"].keys() == {*get_args(How), "light"}


def test_a_card_of_a_home_made_edition_keeps_its_printed_title(reading: Speaking) -> None:
    tablet = reading("es-ES")
    assert say(tablet, "titled", "red", "Lightning") == "Lightning rojo"
    assert say(tablet, "titled", None, "Wild Draw Six") == "Comodín Roba Seis"
    assert say(tablet, "titled", "blue", "0") == "0 azul"


def test_what_the_language_cannot_say_is_said_in_english(reading: Speaking) -> None:
    tablet = reading("pt-BR")
    new = {"code": "never_heard_of", "text": "Something new.", "parts": {}}
    short = {"code": "starts", "text": "Ana starts.", "parts": {}}
    assert say(tablet, "sentenceText", new) == "Something new."
    assert say(tablet, "sentenceText", short) == "Ana starts."


def test_whoever_only_pressed_a_button_has_a_number_in_the_language(
    speaking: Speaking, served: Served
) -> None:
    tablet = speaking("de-DE")
    tablet.push(1)
    tablet.push(2)
    for number in (1, 2):
        named = tablet.page.locator(f".person[data-seat='{number}'] input")
        expect(named).to_have_value(f"Spieler {number}")
    served.pair()
    done(served, "start_match")
    done(served, "choose_dealer", seat=2)
    tablet.says("Spieler 2 mischt")
    done(served, "deal")
    done(served, "catch", seat=1)
    tablet.ruled("Spieler 1 hat nicht UNO gerufen")


SPEAK = """async (language) => {
    const { store, texts } = await parts();
    await texts.loadTexts(language);
    store.change({ language });
}"""
OPEN = "async ([name, about]) => (await parts()).store.open(name, about)"
CLOSE = "async () => (await parts()).store.close()"
MATTERING = ".actions .button, .disputes .button, .bar-top .button"
OUT_OF_REACH = f"""() => [...document.querySelectorAll("{MATTERING}")]
    .filter((one) => {{
        const box = one.getBoundingClientRect();
        return box.bottom > innerHeight || box.right > innerWidth + 1 || box.left < 0;
    }}).map((one) => one.textContent)"""
LEFT_OPEN = r"() => document.body.innerText.match(/\{\w+\}|\b[a-z_]+\.[a-z_]+\.[a-z_]+\b/)"


def test_every_screen_is_whole_in_every_language(speaking: Speaking, served: Served) -> None:
    """No text is missing, and what is to be tapped next is in reach without scrolling."""
    tablet = speaking("en-GB")
    served.pair()

    def look(*dialogs: str, **about: Any) -> None:
        version = served.table["version"]
        expect(tablet.page.locator(".page")).to_have_attribute("data-version", str(version))
        for language in ("es", "fr", "de", "pt", "en"):
            tablet.page.evaluate(SPEAK, language)
            expect(tablet.page.locator("html")).to_have_attribute("lang", language)
            tablet.page.evaluate("() => new Promise(requestAnimationFrame)")
            assert tablet.page.evaluate(OUT_OF_REACH) == [], language
            for name in ("", *dialogs):
                if name:
                    tablet.page.evaluate(OPEN, [name, about])
                    expect(tablet.page.locator("dialog")).to_be_visible()
                assert tablet.page.evaluate(LEFT_OPEN) is None, (language, name)
            tablet.page.evaluate(CLOSE)

    for name in ("Ana", "Ben", "Cam", "Dan"):
        done(served, "sit", name=name)
    look("house", "menu", "settings", "pair")
    done(served, "set_up", way="refereed")
    done(served, "start_match")
    look()
    done(served, "choose_dealer", seat=1)
    look()
    done(served, "deal")
    look()
    done(served, "turn_up", card="red-5")
    look("seat", "catch", "out", "correct", seat=2)
    done(served, "play", card="wild-draw", colour="green")
    look("rulings")
    done(served, "declare_race", layer=1)
    look("layer")
    for seat in (2, 3, 4):
        done(served, "press_seat", seat=seat)
    expect(tablet.page.locator(".undecided-choices")).to_be_visible()
    look()
    done(served, "pick_last", seats=[2])
    expect(tablet.page.locator(".verdict")).to_be_visible()
    look("photo")
    done(served, "go_out", seat=1, confirm=True)
    look()
    for seat in (2, 3, 4):
        done(served, "enter_points", seat=seat, points=200)
    look()
    done(served, "score_round")
    look("sheet", "edit", round=1)
