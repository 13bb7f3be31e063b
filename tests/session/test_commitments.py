"""What simulated players choose in secret is committed before the others choose, and opened at the reveal."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.gamekit.game_start import Header
from companion.journal.evening_folder import verify
from companion.journal.store import Journal
from companion.session.commitments import COMMITMENT, OPENS
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from tests.ours import GAMES
from tests.simulation.test_search_players import TONIGHT, Evenings
from tests.verbs.command import Command

SECRETS = [game for game in GAMES if game != "carnuta"]
"""In Carnuta no action is secret: what is hidden there is a card that was dealt."""


def played(
    folder: Path, game: str, simulated: tuple[str, ...] = ("Anna", "Ben", "Cleo"), most: int = 150
) -> list[Entry]:
    evening = Evenings(folder, game, simulated)
    evening.play(most).close()
    return evening.journal_entries


def body(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(entry.body)
    return found


def stored(folder: Path, entries: list[Entry]) -> Path:
    """A journal with these entries, each with a sound seal: as one writes who knows how."""
    folder.mkdir()
    with Journal.create(folder, date=TONIGHT) as journal:
        for entry in entries:
            journal.append(entry.kind, entry.body, entry.how, entry.cause, entry.at)
        return journal.path


@pytest.mark.parametrize("game", SECRETS)
def test_each_secret_choice_is_committed_and_opened_by_the_entry_that_reveals_it(game: str, tmp_path: Path) -> None:
    entries = played(tmp_path, game)
    committed = [entry.number for entry in entries if COMMITMENT in body(entry)]
    opened = [int(number) for entry in entries for number in body(entry).get(OPENS, {})]
    assert len(committed) > 5
    assert len({*opened}) == len(opened)
    assert {*opened} <= {*committed}
    for entry in entries:
        assert all(int(number) < entry.number for number in body(entry).get(OPENS, {}))
    found = verify(next(tmp_path.glob("*.journal")))
    assert (found.problems, found.committed, found.opened) == ((), len(committed), len(opened))


def test_what_persons_choose_is_not_committed_and_an_evening_without_bots_has_no_key(tmp_path: Path) -> None:
    assert b'"key"' not in game_body(Header("lascaux", ("Anna", "Ben", "Cleo")), "", ())
    entries = played(tmp_path, "sioux", ("Ben", "Cleo"), most=4)
    seats = {body(entry)["seat"] for entry in entries if COMMITMENT in body(entry)}
    assert seats <= {1, 2}


def test_commitments_are_in_no_transcript(tmp_path: Path) -> None:
    text = transcript(Evening(played(tmp_path, "lascaux")))
    assert "@" not in text


# --- Tampering ------------------------------------------------------------------------------------------------


def tampered(entries: list[Entry], number: int, **changes: Any) -> list[Entry]:
    changed = {name: value for name, value in (body(entries[number - 1]) | changes).items() if value is not None}
    return [replace(entry, body=msgspec.json.encode(changed)) if entry.number == number else entry for entry in entries]


@pytest.fixture
def sioux(tmp_path: Path) -> tuple[list[Entry], int, int]:
    """Entries, the number of one with a commitment, and of the one that opens it."""
    (tmp_path / "played").mkdir()
    entries = played(tmp_path / "played", "sioux", most=60)
    opening = next(entry for entry in entries if body(entry).get(OPENS))
    return entries, int(min(body(opening)[OPENS], key=int)), opening.number


def problems(folder: Path, entries: list[Entry]) -> str:
    return "\n".join(verify(stored(folder / "tampered", entries)).problems)


def test_a_changed_choice_is_named(sioux: tuple[list[Entry], int, int], tmp_path: Path) -> None:
    entries, number, _ = sioux
    chosen = body(entries[number - 1])["card"]
    other = next(card for card in ("2", "3", "4", "5") if card != chosen)
    assert f"entry {number}: this secret choice is not the one that was committed" in problems(
        tmp_path, tampered(entries, number, card=other)
    )


def test_a_commitment_that_was_taken_away_is_named(sioux: tuple[list[Entry], int, int], tmp_path: Path) -> None:
    entries, number, _ = sioux
    found = problems(tmp_path, tampered(entries, number, **{COMMITMENT: None}))
    assert f"entry {number}: a simulated player's secret choice has no commitment" in found


def test_a_wrong_nonce_and_a_missing_one_are_named(sioux: tuple[list[Entry], int, int], tmp_path: Path) -> None:
    entries, number, opening = sioux
    for at, opens in enumerate(({str(number): "0" * 32}, None, 7)):
        (tmp_path / str(at)).mkdir()
        found = problems(tmp_path / str(at), tampered(entries, opening, **{OPENS: opens}))
        assert f"entry {opening}: it does not open the commitments that it reveals" in found


def test_what_was_entered_before_a_commitment_cannot_be_changed_either(tmp_path: Path) -> None:
    """A person's choice, say: nothing in its own entry shows it."""
    (tmp_path / "played").mkdir()
    entries = played(tmp_path / "played", "lascaux", most=60)
    drawn = next(entry for entry in entries if body(entry).get("do") == "draw")
    later = next(entry for entry in entries if body(entry).get("do") == "draw" and entry.number > drawn.number)
    one, other = body(drawn)["card"], body(later)["card"]
    changed = tampered(tampered(entries, drawn.number, card=other), later.number, card=one)
    committed = next(entry.number for entry in entries if COMMITMENT in body(entry) and entry.number > drawn.number)
    assert f"entry {committed}: " in problems(tmp_path, changed)


def test_the_command_says_what_is_sound_and_what_is_not(
    sioux: tuple[list[Entry], int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    entries, number, _ = sioux
    path = stored(tmp_path / "home" / "evenings", entries)
    command = Command(capsys)
    said = command("games", "--verify")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"{path.stem}  sound: {len(entries)} entries; ")
    assert "secret choices of bots, each as it was committed" in said.out
    path.unlink()
    stored_again = stored(tmp_path / "home" / "other", tampered(entries, number, **{COMMITMENT: "0" * 64}))
    stored_again.rename(path)
    said = command("games", "--verify", path.stem)
    assert said.status == 1
    assert f"{path.stem}  entry {number}: this secret choice is not the one" in said.out
