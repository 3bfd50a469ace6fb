"""The hall's doors: who may do what, how tables join, and what a table may say at the broker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.hall.table.membership import NotJoined, join, read_membership
from tests.hall.served_hall import ServedHall, publish, visitor
from tests.home.broker import PROGRAM
from tests.kit.served import Client, eventually


@pytest.fixture(scope="module")
def hall(tmp_path_factory) -> Iterator[ServedHall]:
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path_factory.mktemp("hall"))
    hall.pair()
    hall.command("sign_up", people=["Ana", "Ben, Chess club", "Cleo", "Dan"])
    yield hall
    hall.stop()


def test_a_link_alone_makes_nobody_an_organiser(hall):
    stranger = Client(hall.port)
    assert stranger.get(f"/desk?code={hall.code}").status == 200
    assert visitor(stranger)["role"] == "watcher"


def test_a_helper_writes_results_and_does_not_draw(hall):
    helper = Client(hall.port)
    answer = helper.post("/api/pair", {"code": hall.desk()["helper_code"]})
    assert answer.json == {"role": "helper"}
    helper.cookie = answer.headers["set-cookie"].partition(";")[0]
    wish = {"command": {"kind": "draw_round", "seed": 1}}
    assert helper.post("/api/commands", wish).json["error"] == "not_the_desk"
    wish = {"command": {"kind": "sign_up", "people": ["Eva"]}}
    assert helper.post("/api/commands", wish).status == 200
    assert helper.get("/api/desk").json["helper_code"] is None


def test_people_sign_up_with_their_phones_and_may_leave_only_themselves(hall):
    phone = Client(hall.port)
    answer = phone.post("/api/sign-up", {"name": "Finn", "club": "Library"})
    phone.cookie = answer.headers["set-cookie"].partition(";")[0]
    person = answer.json["person"]
    assert visitor(phone)["person"] == person
    assert phone.post("/api/sign-up", {"name": "finn"}).json["error"] == "same_name"
    wish = {"command": {"kind": "leave", "person": 1}}
    assert phone.post("/api/commands", wish).status == 403
    assert phone.post("/api/leave", {}).status == 200
    people = {one["name"]: one["here"] for one in hall.evening()["people"]}
    assert people["Finn"] is False
    assert people["Ana"] is True


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("  \u200b ", "no_name", id="nothing to see"),
        pytest.param("\u0007", "no_name", id="a bell"),
        pytest.param("B\u200ben", "same_name", id="Ben with something unseen"),
        pytest.param("X" * 41, "long_name", id="too long"),
        pytest.param("X" * 300, "long_name", id="much too long"),
    ],
)
def test_a_name_that_nobody_could_read_is_not_put_on_the_list(hall, name, why):
    before = hall.evening()["people"]
    assert hall.command("sign_up", people=[name]).json["error"] == why
    if len(name) <= 40:
        assert hall.command("rename_person", person=1, name=name).json["error"] == why
    assert hall.evening()["people"] == before


def test_a_list_with_names_that_cannot_be_is_refused_with_those_names(hall):
    """Among two hundred that were pasted nobody finds them otherwise."""
    before = hall.evening()["people"]
    taken = hall.command("sign_up", people=["Gus", "ana, Library", "Hugo", "Ben", "gus"]).json
    assert taken["error"] == "same_name"
    assert taken["parts"] == {"names": "ana, Ben, gus"}
    assert taken["message"].startswith("On the list already: ana, Ben, gus.")
    long = hall.command("sign_up", people=["Ivo", "X" * 41]).json
    assert long["parts"] == {"names": "X" * 40 + "\u2026"}
    many = hall.command("sign_up", people=["Ana"] * 500).json
    assert many["parts"]["names"] == ", ".join(["Ana"] * 8 + ["\u2026"])
    assert hall.command("sign_up", people=["X" * 900]).json["error"] == "long_name"
    crowd = hall.command("sign_up", people=[f"Gast {one}" for one in range(1001)]).json
    assert crowd["error"] == "full"
    assert hall.evening()["people"] == before


def test_five_hundred_people_with_their_clubs_are_pasted_at_once(served_hall):
    people = [f"Wilhelmine Hohenstein {one}, Chess club of the old town" for one in range(500)]
    assert served_hall.command("sign_up", people=people).status == 200
    assert len(served_hall.evening()["people"]) == 500


def test_names_and_clubs_can_be_pasted_from_two_columns_of_a_spreadsheet(hall):
    assert hall.command("sign_up", people=["Kaya\tLibrary"]).status == 200
    kaya = hall.evening()["people"][-1]
    assert (kaya["name"], kaya["club"]) == ("Kaya", "Library")


def test_an_edition_that_nobody_has_printed_is_refused(hall):
    plan = hall.evening()["plan"]
    wish = {"command": {"kind": "plan_evening", "plan": {**plan, "edition": "uno-flip"}}}
    assert hall.post("/api/commands", wish).json["error"] == "edition"


def test_one_name_in_two_spellings_of_a_letter_is_one_name(hall):
    hall.command("sign_up", people=["Zo\u00eb"])
    assert hall.command("sign_up", people=["Zoe\u0308"]).json["error"] == "same_name"


def test_a_round_is_previewed_drawn_written_and_corrected(hall):
    wish = {"kind": "draw_round", "seed": 42}
    preview = hall.post("/api/preview", wish).json
    assert hall.command(**wish, version=preview["version"] - 1).json["error"] == "stale"
    assert hall.command(**wish, version=preview["version"]).status == 200
    round_ = hall.evening()["rounds"][-1]
    assert round_ == preview["round"]
    assert round_["seed"] == 42
    assert hall.command("draw_round", seed=1).json["error"] == "results_missing"
    for seating in round_["tables"]:
        points = {str(one): 10 * at for at, one in enumerate(seating["people"])}
        table = {"round": round_["number"], "table": seating["table"]}
        absurd = dict.fromkeys(points, 10**30)
        assert hall.command("write_result", **table, points=absurd).status == 400
        assert hall.command("write_result", **table, points=points).status == 200
        assert (
            hall.command("write_result", **table, points={"1": 3}).json["error"] == "wrong_people"
        )
    assert hall.evening()["waiting"] == []
    assert hall.command("draw_round", seed=1, again=True).json["error"] == "played"
    assert "Ana" in hall.get("/api/standing.csv").body.decode()


def test_what_a_draw_was_made_from_can_be_taken_away_by_the_organiser_alone(hall):
    hall.command("keep_apart", one=1, other=2)
    whole = hall.get("/api/evening.json").json
    assert whole["apart"] == [[1, 2]]
    assert whole["results"] == hall.desk()["results"]
    assert whole["plan"]["seed"] == hall.evening()["plan"]["seed"]
    assert "apart" not in hall.evening()
    assert Client(hall.port).get("/api/evening.json").status == 403


def test_a_table_joins_by_the_desks_code_and_speaks_for_itself_alone(hall, tmp_path):
    with pytest.raises(NotJoined, match="not this hall's code"):
        join(tmp_path / "one", f"127.0.0.1:{hall.port}", "AAAA-AAAA")
    code = hall.desk()["table_code"]
    one = join(tmp_path / "one", f"127.0.0.1:{hall.port}", code, 7)
    assert read_membership(tmp_path / "one") == one
    assert one.table == 7
    with pytest.raises(NotJoined, match="Another table in this hall has that number"):
        join(tmp_path / "two", f"127.0.0.1:{hall.port}", code, 7)
    two = join(tmp_path / "two", f"127.0.0.1:{hall.port}", code)
    said = '{"contract":1,"here":true,"identity":"forged"}'
    for number in (7, two.table):
        publish(tmp_path / "two", f"hall/{number}/here", said)
    eventually(lambda: hall.table(two.table)["here"])
    assert not hall.table(7)["here"]
    assert hall.command("remove_table", table=7).status == 200
    assert join(tmp_path / "new", f"127.0.0.1:{hall.port}", code, 7).table == 7


@pytest.mark.parametrize("number", [True, 0, -1, 10_000, 1.5, "7", [7], 10**30])
def test_a_table_asks_for_a_number_or_for_none(hall, number):
    """What is no number would stand in the journal, and no hall could open that again."""
    wish = {"code": hall.desk()["table_code"], "identity": "a-stranger", "number": number}
    answer = hall.post("/api/tables", wish)
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


@pytest.mark.parametrize(
    "address", ["hall:99999", "hall:door", "[::1", "http://", "a b:1", "\u00e4" * 80]
)
def test_what_is_no_address_of_a_hall_is_said_in_a_sentence(address, tmp_path):
    with pytest.raises(NotJoined, match="hall"):
        join(tmp_path, address, "AAAA-AAAA")


@pytest.mark.parametrize("club", [7, True, None, {"name": "Library"}])
def test_a_club_is_a_word(hall, club):
    answer = Client(hall.port).post("/api/sign-up", {"name": "Gil", "club": club})
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


def test_a_spreadsheet_reads_every_name_and_tells_who_sits_out(served_hall):
    served_hall.command("plan_evening", plan={"least": 4})
    served_hall.command("sign_up", people=["Zo\u00eb", "Ben", "Cleo", "Dan", "Eva"])
    served_hall.command("draw_round", seed=1)
    (out,) = served_hall.evening()["rounds"][0]["byes"]
    name = served_hall.evening()["people"][out - 1]["name"]
    seats = served_hall.get("/api/seats.csv").body.decode()
    assert seats.startswith("\ufeffround,")
    assert f"\r\n1,,,{name}\r\n" in seats
    standing = served_hall.get("/api/standing.csv").body.decode()
    assert standing.startswith("\ufeffrank,")
    assert "Zo\u00eb" in standing


def test_no_spreadsheet_of_the_hall_takes_a_name_for_a_formula(served_hall):
    served_hall.command("plan_evening", plan={"least": 4})
    served_hall.command("sign_up", people=["\uff1dSUM(A1)", "=SUM(A2)", "Cleo", "Dan", "Eva"])
    served_hall.command("draw_round", seed=1)
    for written in ("seats", "standing"):
        cells = served_hall.get(f"/api/{written}.csv").body.decode()
        for name in ("\uff1dSUM(A1)", "=SUM(A2)"):
            assert f",'{name}" in cells
            assert f",{name}" not in cells
