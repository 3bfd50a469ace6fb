"""One file, typed, with every mistake named at once; and none is needed to play."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.settings.broker import Home
from companion.settings.configuration import BadConfiguration, examine, load, parse

DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"


def mistakes_in(text: str) -> list[str]:
    return examine(tomllib.loads(text))[1]


def test_without_a_file_everything_has_its_default() -> None:
    settings, mistakes = examine({})
    assert mistakes == []
    assert settings.timing == Timing()
    assert settings.house == HouseRules()
    assert settings.data.folder.is_absolute()
    assert settings.hardware == {}


def test_a_file_with_three_mistakes_is_told_all_three(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('[sever]\nport = 80\n[timing]\nsettle_ms = "long"\n[house]\nno_slap = "all"\n')
    with pytest.raises(BadConfiguration) as bad:
        load(file)
    assert bad.value.mistakes == (
        "There is no section [sever]. Did you mean server?",
        "timing.settle_ms is a number of milliseconds from 0 to 600000, not 'long'.",
        "house.no_slap is one of pick, all_draw, not 'all'.",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("port = 80", "no section [port]", id="a setting without its section"),
        pytest.param("server = 80", "write [server] above", id="a section that is a number"),
        pytest.param("[server]\nprot = 80", "Did you mean port?", id="a slip of the finger"),
        pytest.param("[server]\nport = 0", "from 1 to 65535, not 0", id="port zero"),
        pytest.param("[server]\nport = '80'", "not '80'", id="a port in quotes"),
        pytest.param("[server]\nport = true", "not True", id="a port that is true"),
        pytest.param("[server]\nhost = 5", "a name or an address, not 5", id="a host of five"),
        pytest.param("[data]\nfolder = 5", "the path of a folder", id="a folder of five"),
        pytest.param("[table]\nseats = 1", "from 2 to 10, not 1", id="a table for one"),
        pytest.param("[table]\nseats = 11", "from 2 to 10, not 11", id="a table for eleven"),
        pytest.param(
            "[timing]\nsettle = 9", "Did you mean settle_ms?", id="a duration without unit"
        ),
        pytest.param("[timing]\nsettle_ms = -1", "from 0 to 600000", id="a negative duration"),
        pytest.param("[timing]\nsettle_ms = 1e9", "from 0 to 600000", id="eleven days"),
        pytest.param("[timing]\nsettle_ms = nan", "from 0 to 600000", id="no number at all"),
        pytest.param("[timing]\ncatch_least_ms = 1500", "longer than", id="a catch nobody makes"),
        pytest.param(
            "[timing]\nslap_off_least_ms = 9000", "longer than", id="a slap-off that cannot end"
        ),
        pytest.param("[house]\nhands_stay_down = 1", "true or false", id="one for true"),
        pytest.param("[house]\ntie_goes_to = 'catchr'", "Did you mean catcher?", id="catchr"),
        pytest.param("[house]\nwrong_catch_draws = -2", "from 0 to 20", id="minus two cards"),
        pytest.param("[house]\ntarget = 20", "from 50 to 2000", id="a match of one round"),
        pytest.param('[data]\nfolder = "~nobody-here/a"', "a folder, not", id="nobody's folder"),
        pytest.param("[house]\nstacking = true", "no setting house.stacking", id="another house"),
    ],
)
def test_a_mistake_is_named_with_what_was_meant(text: str, says: str) -> None:
    (mistake,) = mistakes_in(text)
    assert says in mistake


def test_durations_are_milliseconds_and_may_be_fractions() -> None:
    settings, mistakes = examine({"timing": {"settle_ms": 500, "least_gap_ms": 0.25}})
    assert mistakes == []
    assert settings.timing.settle == 500 * MILLISECOND
    assert settings.timing.least_gap == 250_000
    assert settings.timing.race_limit == 10 * SECOND


def test_every_duration_and_every_house_rule_can_be_configured() -> None:
    timing = {f"{field.name}_ms": 2000 for field in msgspec.structs.fields(Timing)}
    house: dict[str, Any] = msgspec.to_builtins(HouseRules())
    settings, mistakes = examine({"timing": timing, "house": house})
    assert mistakes == []
    assert set(msgspec.structs.astuple(settings.timing)) == {2 * SECOND}
    assert settings.house == HouseRules()


def test_the_hardware_section_is_handed_on_as_it_is() -> None:
    said = {"factory": "simulated", "buttons": [{"pin": 17}]}
    assert examine({"hardware": said})[0].hardware == said


def test_a_tilde_means_the_persons_own_folder() -> None:
    assert examine({"data": {"folder": "~/table"}})[0].data.folder == Path.home() / "table"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"port = = 80", "not TOML", id="not TOML"),
        pytest.param(b"\xff\xfe", "not a text", id="no text"),
        pytest.param(None, "no such file", id="a file that was asked for and is not there"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_so(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    file = tmp_path / "companion.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadConfiguration, match=says):
        parse(file)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be read"):
        parse(tmp_path)


def test_what_the_documentation_shows_works() -> None:
    example, complaint = re.findall(r"```(?:toml)?\n(.*?)```", DOCS.read_text(), re.DOTALL)
    settings, mistakes = examine(tomllib.loads(example))
    assert mistakes == []
    assert (settings.server.port, settings.table.seats) == (8080, 4)
    assert settings.house.no_slap == "all_draw"
    assert settings.home is not None
    assert not settings.home.names
    wrong = {"sever": {}, "timing": {"settle_ms": "long"}, "house": {"no_slap": "all"}}
    told = [f"  - {mistake}" for mistake in examine(wrong)[1]]
    assert complaint.splitlines()[1:] == told


def test_the_documentation_names_every_setting() -> None:
    text = DOCS.read_text()
    for field in msgspec.structs.fields(Timing):
        assert f"`{field.name}_ms`" in text
    for field in msgspec.structs.fields(HouseRules):
        assert f"`{field.name}`" in text
    (home,) = [line for line in text.splitlines() if line.startswith("| `[home]`")]
    assert re.findall(r"`(\w+)`", home) == list(Home.__struct_fields__)
