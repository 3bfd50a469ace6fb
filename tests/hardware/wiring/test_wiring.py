"""Wirings as people write them down, right and wrong."""

from __future__ import annotations

from itertools import combinations

import pytest

from hardware.wiring.currents import (
    BUTTON_RESISTOR,
    LED_RESISTOR,
    LONG_BUTTON_RESISTOR,
    LONG_PULL_UP,
    LOW_AT_MOST,
    PIN_LIMIT,
    PIN_SURVIVES,
    PULL_UP,
    SUPPLY,
    current,
    load,
    pressed_voltage,
)
from hardware.wiring.reader import wiring_from
from hardware.wiring.wiring import (
    BUS_PINS,
    DEFAULT_BUTTON_PINS,
    DEFAULT_LAMP_PINS,
    GROUND_PINS,
    HEADER_PIN,
    SPECIAL_PINS,
    SUPPLY_PINS,
    BadWiring,
    ButtonWiring,
    Wiring,
    default_wiring,
    named_pins,
)

SPECIAL = frozenset[int]().union(*SPECIAL_PINS.values())


def mistakes(said) -> tuple[str, ...]:
    with pytest.raises(BadWiring) as bad:
        wiring_from(said)
    return bad.value.mistakes


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_table_of_any_size_has_recommended_pins(seats):
    wiring = wiring_from({"seats": seats})
    pins = [pin for _, pin in named_pins(wiring)]
    assert wiring.seats == seats
    assert len(set(pins)) == len(pins) == 2 * seats
    assert not {button.pin for button in wiring.buttons} & SPECIAL


@pytest.mark.parametrize("seats", range(2, 11))
def test_buttons_and_a_buzzer_stay_clear_of_every_special_pin(seats):
    wiring = default_wiring(seats, lamps="none", buzzer=seats < 10)
    assert not {pin for _, pin in named_pins(wiring)} & SPECIAL
    assert wiring.remarks() == ()


def test_lamps_that_borrow_pins_say_so_once_there_are_lamps():
    assert default_wiring(10).remarks() == ()
    remarks = default_wiring(10, lamps="led").remarks()
    assert len(remarks) == 8
    assert all("lamp" in remark for remark in remarks)
    assert {job for job in SPECIAL_PINS if any(job in remark for remark in remarks)} == {
        "1-Wire",
        "I2S",
        "SPI",
    }


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        pytest.param({"seats": 4}, "auto", id="nobody spoke of lamps"),
        pytest.param({"seats": 4, "lamps": "led"}, "led", id="somebody did"),
        pytest.param({"buttons": [{"pin": 17}, {"pin": 27}]}, "none", id="buttons alone"),
        pytest.param({"buttons": [{"pin": 17, "lamp": 12}, {"pin": 27}]}, "led", id="one lamp"),
    ],
)
def test_lamps_are_off_until_the_configuration_says_that_there_are_some(said, kind):
    assert wiring_from(said).lamps == kind


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("kind", ["led", "driver"])
def test_no_table_takes_more_than_the_pi_can_give(seats, kind):
    assert load(seats, seats, kind).fits


def test_what_would_be_too_much_is_noticed():
    assert not load(10, 13, "led").fits
    assert not load(19, 0, "none").fits, "pull-ups of long cables"
    lamps = [4, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 20, 21]
    buttons = [5, 6, 13, 17, 19, 22, 23, 24, 25, 26, 27, 2, 3]
    pairs = list(zip(buttons, lamps, strict=True))
    listed = [{"pin": pin, "lamp": lamp, "spare": n > 9} for n, (pin, lamp) in enumerate(pairs)]
    assert wiring_from({"buttons": listed}).remarks()[-1] == (
        "13 LEDs straight on the pins take 52 mA, and all pins together should give 50: "
        "put the lamps on a driver."
    )


def test_a_button_on_a_pin_that_drives_or_on_five_volts_burns_nothing():
    assert current(SUPPLY, BUTTON_RESISTOR) <= PIN_LIMIT
    assert current(5 - SUPPLY, BUTTON_RESISTOR) <= PIN_LIMIT


@pytest.mark.parametrize("resistor", [LED_RESISTOR, LONG_BUTTON_RESISTOR])
def test_a_button_in_the_line_of_a_lamp_that_is_lit_destroys_no_pin(resistor):
    assert current(SUPPLY, resistor) <= PIN_SURVIVES


def test_a_button_that_is_down_reads_low_with_short_cables_and_with_long_ones():
    assert pressed_voltage(PULL_UP, BUTTON_RESISTOR) < 0.2
    assert pressed_voltage(LONG_PULL_UP, LONG_BUTTON_RESISTOR) < LOW_AT_MOST
    assert pressed_voltage(LONG_PULL_UP, 330) > LOW_AT_MOST


def test_beside_the_wires_of_the_ground_bus_there_is_no_supply():
    for pin in BUS_PINS:
        across = pin + 1 if pin % 2 else pin - 1
        assert pin in GROUND_PINS
        assert not {pin - 2, pin + 2, across} & SUPPLY_PINS.keys()


def test_a_seat_keeps_its_pins_when_the_table_grows():
    assert default_wiring(10).buttons[:4] == default_wiring(4).buttons


def test_a_wiring_of_ones_own():
    wiring = wiring_from(
        {
            "factory": "lgpio",
            "lamps": "pwm",
            "buzzer": 12,
            "buttons": [
                {"name": "red", "pin": 17, "lamp": 18},
                {"name": "blue", "pin": 27},
                {"pin": 22, "spare": True},
                {"name": "green", "usb": "Zero Delay", "key": "BTN_TRIGGER"},
            ],
        }
    )
    assert wiring == Wiring(
        buttons=(
            ButtonWiring("red", pin=17, lamp=18),
            ButtonWiring("blue", pin=27),
            ButtonWiring("spare 1", pin=22, spare=True),
            ButtonWiring("green", usb="Zero Delay", key="BTN_TRIGGER"),
        ),
        factory="lgpio",
        lamps="pwm",
        buzzer=12,
    )
    assert wiring.seats == 3
    assert [button.place for button in wiring.buttons][2:] == [
        "GPIO 22, pin 15",
        "BTN_TRIGGER on Zero Delay",
    ]


@pytest.mark.parametrize(("one", "other"), list(combinations(range(10), 2)))
@pytest.mark.parametrize("on", ["pin", "lamp"])
def test_two_seats_on_one_pin_are_refused_with_both_names(one, other, on):
    buttons = [
        {"name": f"Ana {n}", "pin": DEFAULT_BUTTON_PINS[n], "lamp": DEFAULT_LAMP_PINS[n]}
        for n in range(10)
    ]
    buttons[other][on] = buttons[one]["pin"]
    (mistake,) = mistakes({"buttons": buttons})
    thing = "button" if on == "pin" else "lamp"
    assert mistake == (
        f"GPIO {DEFAULT_BUTTON_PINS[one]} is given twice: to the button of Ana {one} "
        f"and to the {thing} of Ana {other}."
    )


@pytest.mark.parametrize("pin", [-1, 28, 40, 99, 2.5, "17", True])
def test_a_pin_that_no_header_has_is_refused(pin):
    (mistake,) = mistakes({"buttons": [{"pin": pin}, {"pin": 17}]})
    assert "a GPIO on the header, from 2 to 27, not" in mistake
    assert "entry 1" in mistake


def test_the_pins_of_add_on_boards_are_refused():
    (mistake,) = mistakes({"buttons": [{"name": "Ana", "pin": 0}, {"pin": 17}]})
    assert mistake == "the button of Ana is on GPIO 0, which is reserved for add-on boards."


def test_every_mistake_is_named_at_once():
    named = mistakes(
        {
            "factroy": "gpiod",
            "factory": "lgpoi",
            "pull": "sideways",
            "buttons": [
                {"name": "Ana", "pin": 17, "lamp": 17},
                {"name": "Ben"},
                {"name": "Ben", "pin": 77, "colour": "red"},
            ],
        }
    )
    assert [line.split(",")[0][:52] for line in named] == [
        "There is no setting hardware.factroy. Did you mean f",
        "hardware.factory is one of auto",
        "hardware.pull is one of up",
        "hardware.buttons",
        "There is no setting hardware.buttons",
        "hardware.buttons",
        "GPIO 17 is given twice: to the button of Ana and to ",
        "Two buttons are called Ben.",
    ]
    assert "Did you mean lgpio?" in named[1]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param({"seats": 1}, "A table has 2 to 10 seats, not 1.", id="a table for one"),
        pytest.param({"seats": 11}, "A table has 2 to 10 seats, not 11.", id="eleven at a table"),
        pytest.param({"seats": "six"}, "hardware.seats is a whole number, not 'six'.", id="a word"),
        pytest.param({"buttons": []}, "A table has 2 to 10 seats, not 0.", id="no buttons at all"),
        pytest.param({"buttons": 4}, "hardware.buttons is a list", id="a number of buttons"),
        pytest.param({"seats": 2, "buzzer": 17}, "GPIO 17 is given twice", id="buzzer on a button"),
        pytest.param({"seats": 9, "spares": 2}, "need pins of their own", id="too many spares"),
        pytest.param({"pressed": "high", "pull": "up"}, "never changes", id="a pull against it"),
        pytest.param(
            {"pressed": "high", "buttons": [{"name": "Ana", "pin": 3}, {"pin": 17}]},
            "always pulled up",
            id="a fixed pull-up",
        ),
        pytest.param(
            {"buttons": [{"usb": "A", "key": "K"}, {"usb": "A", "key": "K"}]},
            "K of A is given twice: to seat 1 and to seat 2.",
            id="one key for two seats",
        ),
        pytest.param(
            {"buttons": [{"pin": 17, "usb": "A", "key": "K"}, {"pin": 27}]},
            "give either a pin, or usb and key",
            id="a button on a pin and on USB",
        ),
        pytest.param(
            {"seats": 2, "buttons": [{"pin": 17}, {"pin": 27}]},
            "cannot stand beside hardware.buttons",
            id="seats said twice",
        ),
    ],
)
def test_an_impossible_wiring_gets_a_clear_sentence(said, sentence):
    assert any(sentence in mistake for mistake in mistakes(said))


def test_buttons_that_are_pressed_to_high_are_pulled_down_unless_told_otherwise():
    assert wiring_from({"pressed": "high"}).pull == "down"


def test_the_header_has_every_gpio_once():
    assert sorted(HEADER_PIN) == list(range(28))
    assert len(set(HEADER_PIN.values())) == 28
