"""`companion demo --headless`: a simulated game told in text, the same for the same seed."""

import re
from pathlib import Path

import pytest

from tests.verbs.command import Command

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.mark.parametrize("mischief", ["0", "0.4"])
@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("players", ["3", "4", "5"])
def test_the_same_seed_tells_the_same_game_to_its_end(command: Command, players: str, kit: str, mischief: str) -> None:
    words = ("demo", "--headless", "--seed", "7", "--players", players, "--kit", kit, "--mischief", mischief)
    told, again = command(*words), command(*words)
    assert told == again
    assert (told.status, told.err) == (0, "")
    assert re.search(r" wins?\.\n$", told.out)
    assert len(re.findall(r"^\w+: \d+ points$", told.out, re.MULTILINE)) == int(players)


def test_another_seed_tells_another_game(command: Command) -> None:
    games = {command("demo", "--headless", "--seed", str(seed)).out for seed in range(4)}
    assert len(games) == 4


def test_without_a_seed_no_two_games_are_alike(command: Command) -> None:
    assert command("demo", "--headless").out != command("demo", "--headless").out


def test_every_line_is_a_sentence_with_its_ruling_and_no_braces(command: Command) -> None:
    out = command("demo", "--headless", "--seed", "3", "--mischief", "0.6", "--kit", "one").out
    assert "{" not in out
    for line in out.split("\n\n")[0].splitlines():
        assert re.fullmatch(r" {1,2}L\d+  .+|      .+", line), line


def test_mistakes_are_reported_as_what_they_are_and_change_no_point(command: Command) -> None:
    honest = command("demo", "--headless", "--seed", "11").out
    clumsy = command("demo", "--headless", "--seed", "11", "--mischief", "0.8").out
    assert not re.search(r"  (refused|foreign|unknown|repeated): ", honest)
    assert re.search(r"  (refused|foreign|unknown|repeated): ", clumsy)
    assert honest.split("\n\n")[-1] == clumsy.split("\n\n")[-1]


def test_in_darwinci_everything_is_counted_in_darwin(command: Command) -> None:
    out = command("demo", "darwinci", "--headless", "--seed", "5", "--players", "3").out.split("\n\n")[-1]
    blocks = re.findall(r"^(\w+): (-?\d+) Darwin\n((?: +-?\d+  .*\n)*)", out.replace("−", "-"), re.MULTILINE)
    assert [sum(int(part.split()[0]) for part in parts.splitlines()) for *_, parts in blocks] == [
        int(total) for _, total, _ in blocks
    ]
    assert len(blocks) == 3
    assert "point" not in out


def test_in_carnuta_the_symbols_are_reported_before_the_points_that_are_counted_from_them(command: Command) -> None:
    out = command("demo", "carnuta", "--headless", "--seed", "5", "--players", "2").out.split("\n\n")[-1]
    for name, notes, parts in re.findall(r"^(\w+): \d+ points\n((?: {6}.*\n)*)((?: +\d+  .*\n)*)", out, re.MULTILINE):
        assert notes
        assert all(note.startswith(f"      {name}, ") and "symbols: " in note for note in notes.splitlines())
        assert all(f"  {name}, " in part and " column: " in part for part in parts.splitlines())


def test_every_point_adds_up_and_the_best_one_wins(command: Command) -> None:
    out = command("demo", "--headless", "--seed", "5").out.split("\n\n")[-1]
    totals: dict[str, int] = {}
    for block in re.findall(r"^(\w+): (\d+) points\n((?: +.*\n)*)", out, re.MULTILINE):
        name, total, parts = block
        totals[name] = int(total)
        assert sum(int(points) for points in re.findall(r"^ *(\d+)  ", parts, re.MULTILINE)) == int(total)
    winners = out.splitlines()[-1].removesuffix(" wins.").removesuffix(" win.").replace(" and ", ", ").split(", ")
    assert sorted(winners) == sorted(name for name in totals if totals[name] == max(totals.values()))


def test_first_it_tells_how_the_table_is_set_up(command: Command) -> None:
    first, *_, last = command("demo", "--headless", "--seed", "3").out.partition(" draws ")[0].splitlines()[:-1]
    assert first == "  L1  Shuffle all 54 animal cards and lay them face down in the middle: that is the deck"
    assert re.fullmatch(r" L21  \w+ starts the first round, and play goes clockwise", last)


@pytest.mark.parametrize(
    ("game", "seed", "said", "winner"),
    [
        ("sioux", "22", "more of those win (S23)", "Anna wins."),
        ("lascaux", "2", "the most stones win (L19)", "Ben wins."),
    ],
)
def test_a_tie_break_is_reported_before_the_winner(
    command: Command, game: str, seed: str, said: str, winner: str
) -> None:
    option = ("--option", "tie=stones") if game == "lascaux" else ()
    out = command("demo", game, "--headless", "--seed", seed, "--players", "3", *option).out
    *_, tie, last = out.splitlines()
    assert tie.startswith("Tie-break: Anna and Ben have ")
    assert tie.endswith(said)
    assert last == winner


def test_a_shared_victory_is_explained_before_the_winners(command: Command) -> None:
    out = command("demo", "lascaux", "--headless", "--seed", "2", "--players", "3").out
    *_, why, last = out.splitlines()
    assert re.fullmatch(r"Shared: Anna and Ben have \d+ points each: they share the victory \(L19\)", why)
    assert last == "Anna and Ben win."


def test_table_options_are_played(command: Command) -> None:
    plain = command("demo", "--headless", "--seed", "5").out
    other = command("demo", "--headless", "--seed", "5", "--option", "direction=anticlockwise").out
    assert plain != other


def test_a_demo_leaves_nothing_behind(command: Command, home: Path) -> None:
    command("demo", "--headless", "--seed", "5")
    assert not home.exists()
    assert command("games").out == "No evening has been played yet. `companion play` starts one.\n"
