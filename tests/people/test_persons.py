"""Names in journals become people: added, merged, renamed; two Annas stay two."""

from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.people.persons import People, change_people, likely_merges, load_people
from tests.people.evenings import PlayedEvening, played
from tests.verbs.command import Command


def test_a_name_that_belongs_to_no_one_is_a_person_of_that_name() -> None:
    who = People().who("2026-11-16-1", "Anna")
    assert (who.id, who.name) == ("Anna", "Anna")


def test_a_merged_name_means_the_other_person_in_every_evening() -> None:
    people = People().added("Anna").merged("Ännchen", "Anna")
    assert people.who("2026-11-16-1", "Ännchen") == people.who("2026-11-16-2", "Anna")


def test_merging_two_people_keeps_all_their_names_and_the_settings_of_the_second() -> None:
    people = People().added("Anna", colour="red").added("Ann", colour="blue").merged("Old Ann", "Ann")
    (person,) = people.merged("Ann", "Anna").person
    assert (person.name, person.names, person.colour) == ("Anna", ("Ann", "Old Ann"), "red")


def test_two_annas_stay_two_also_when_one_was_entered_as_the_other() -> None:
    people = People().added("Anna").added("Anna B.").merged("Anna", "Anna B.", "2026-11-16-2")
    assert people.who("2026-11-16-1", "Anna").name == "Anna"
    assert people.who("2026-11-16-2", "Anna").name == "Anna B."
    with pytest.raises(UsageError, match="Anna is in the list already; give the second one another name"):
        people.added("Anna")


def test_a_renamed_person_keeps_the_id_and_is_found_under_the_old_name() -> None:
    people = People().added("Anna").renamed("Anna", "Annette")
    who = people.who("2026-11-16-1", "Anna")
    assert (who.id, who.name) == ("Anna", "Annette")
    assert people.renamed("Annette", "Anna").who("", "Annette").name == "Anna"


def test_a_new_person_never_gets_the_id_of_another() -> None:
    people = People().added("Anna").renamed("Anna", "Annette")
    people = people.having(type(people.person[0])("Anna", "Annette"))  # the old name was dropped by hand
    assert people.added("Anna").called("Anna").id == "Anna-2"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"language": "xx"}, "language: xx is not one of en"),
        ({"announcements": "loud"}, "announcements: loud is not one of off"),
        ({"sign": "ab"}, "a sign is one character"),
        ({"card": "hello"}, "a player card is the UID of a tag"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        People().added("Anna", **settings)


def test_a_player_card_belongs_to_one_person() -> None:
    people = People().added("Anna", card="04:a1:b2:c3")
    assert people.with_card("04A1B2C3").name == "Anna"
    assert people.with_card("") is None
    with pytest.raises(UsageError, match="is Anna's already"):
        people.added("Ben", card="04A1B2C3")


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    people = change_people(path, lambda now: now.added("Anna", sign="★").added("Zoë").merged("Zoe", "Zoë"))
    assert load_people(path) == people


@pytest.mark.parametrize("text", ["[[person]]\nid = 1\n", "person = 3", "[[", '[[person]]\nid="a"\nname="A"\nx=1\n'])
def test_a_file_that_cannot_be_read_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"people\.toml"):
        change_people(path, lambda now: now.added("Anna"))
    assert path.read_text() == text


# --- On the command line --------------------------------------------------------------------------------------


def test_players_of_evenings_are_listed_with_the_people_of_the_file(command: Command, folder: Path) -> None:
    assert "No people yet" in command("people").out
    evening = PlayedEvening(folder, "lascaux", ("Anna", "Ben", "Cleo"))
    evening.play(3).close()
    said = command("people", "--add", "Dora", "--sign", "★", "--language", "de")
    assert (said.status, said.err) == (0, "")
    assert "★ Dora              no games; language de" in said.out
    assert command("people", "--add", "Dora").status == 2


def test_two_names_at_the_same_table_are_not_merged(command: Command, folder: Path) -> None:
    PlayedEvening(folder, "lascaux", ("Anna", "Ben", "Cleo")).play(1).close()
    said = command("people", "--merge", "Ben", "Anna")
    assert (said.status, said.err) == (
        2,
        "companion: Ben and Anna played together on 2026-11-16-1: they are two people\n",
    )
    assert command("people", "--merge", "Ann", "Anna").status == 0


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        (("anna", "Anna", "Anna"), [("anna", "Anna")]),
        (("Zoe", "Zoë", "Zoë"), [("Zoe", "Zoë")]),
        (("Anna M.", "Anna", "Anna"), [("Anna M.", "Anna")]),
        (("Anna", "Ben", "Anne"), []),
    ],
)
def test_names_that_may_be_one_person_are_offered_to_be_merged(
    names: tuple[str, ...], offered: list[tuple[str, str]]
) -> None:
    tables = [(f"2026-11-{day}-1", (name, "Cleo")) for day, name in enumerate(names, 10)]
    assert likely_merges(People(), tables) == offered
    together = [*tables, ("2026-11-30-1", names)]
    assert likely_merges(People(), together) == [], "who sat together are two"


def test_the_list_offers_a_merge_with_the_command_that_does_it(command: Command, folder: Path) -> None:
    played(folder, "lascaux", ("Anna", "Ben", "Cleo"), 1)
    played(folder, "lascaux", ("Anna M.", "Ben", "Cleo"), 2)
    line = "Is Anna the same person as Anna M.? Then: companion people --merge Anna 'Anna M.'"
    assert line in command("people").out
    assert line not in command("people", "--merge", "Anna", "Anna M.").out


def test_a_name_that_may_be_merged_itself_is_no_one_to_merge_with() -> None:
    """Anna M. sat with Anna, so she is not anna, who is probably Anna."""
    tables = [("1", ("Anna", "Anna M.")), ("2", ("Anna", "Ben")), ("3", ("anna", "Ben"))]
    assert likely_merges(People(), tables) == [("anna", "Anna")]


def test_a_seat_of_one_evening_is_merged_by_its_id(command: Command, folder: Path) -> None:
    PlayedEvening(folder, "lascaux", ("Anna", "Ben", "Cleo")).play(1).close()
    assert command("people", "--add", "Anna B.").status == 0
    assert "as Anna on 2026-11-16-1" in command("people", "--merge", "Anna@2026-11-16-1", "Anna B.").out
    said = command("people", "--merge", "Zoe@2026-11-16-1", "Anna B.")
    assert said.err == "companion: no player was called Zoe in 2026-11-16-1\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--colour", "red"], "--colour belongs to --add or --change"),
        (["--change", "Anna"], "say what to change"),
        (["--add", "\x1b"], "a person needs a name that can be shown"),
        (["--forget", "Zoe", "--yes"], "no evening has a player Zoe"),
        (["--forget", "Zoe"], "say --yes, too"),
        (["--rename", "Zoe", "Zoë"], "there is no person Zoe here"),
    ],
)
def test_bad_input_gets_a_line_and_changes_nothing(
    command: Command, home: Path, words: list[str], problem: str
) -> None:
    said = command("people", *words)
    assert said.status == 2
    assert problem in said.err
    assert not (home / "people.toml").exists()
