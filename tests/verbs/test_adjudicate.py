"""Verdicts on transcripts: as JSON in the promised shape, as text for people, and the exit status."""

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.gamekit import discovery
from companion.games.lascaux.components import standin
from tests.ours import GAMES

HEADER = {"game": "lascaux", "players": ["Anna", "Ben", "Cleo"]}
ROW = [{"do": "draw", "card": card} for card in ("aurochs-brown-blue", "aurochs-yellow-white", "aurochs-green-pink")]
CHOICES = [{"do": "choose", "seat": seat, "colour": "blue"} for seat in range(3)]
WHOLE_GAMES = sorted((Path(__file__).parents[1] / "data" / "lascaux").glob("*.jsonl"))


@pytest.fixture(scope="module", autouse=True)
def _no_box_is_enrolled(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def adjudicate(path: Path, *, as_json: bool = False) -> int:
    """As typed on the command line: the exit status."""
    return main(["adjudicate", str(path), *(["--json"] if as_json else [])])


@pytest.fixture
def game(tmp_path, capsys):
    """Write a transcript, adjudicate it: the exit status, stdout and stderr."""

    def adjudicated(*lines: dict | str | bytes, as_json: bool = True):
        path = tmp_path / "game.jsonl"
        texts = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
        path.write_bytes(b"\n".join(text.encode() if isinstance(text, str) else text for text in texts))
        status = adjudicate(path, as_json=as_json)
        out, err = capsys.readouterr()
        return status, json.loads(out) if as_json and out else out, err

    return adjudicated


# --- JSON -----------------------------------------------------------------------------------------------------


def test_a_header_alone(game):
    status, verdict, err = game(HEADER)
    assert (status, err) == (0, "")
    assert list(verdict) == ["game", "finished", "awaiting", "refusals", "table"]
    assert verdict["awaiting"] == {"seats": [0], "do": ["draw"]}
    assert verdict["table"] == {
        "round": 1,
        "start": 0,
        "direction": "clockwise",
        "phase": "draw",
        "row": [],
        "deck": 54,
        "pot": 0,
        "stones": [12, 12, 12],
        "won": [[], [], []],
        "pile": [],
        "chosen": [False, False, False],
    }


def test_a_refused_line_changes_nothing_and_the_rest_goes_on(game):
    stone, early = {"do": "stone", "seat": 0}, {"do": "stone", "seat": 1}
    status, verdict, _ = game(HEADER, *ROW, *CHOICES, "# Ben is too early", early, stone)
    assert status == 1
    assert verdict["refusals"] == [{"line": 9, "rule": "L10", "reason": "It is Anna's turn, not Ben's"}]
    assert verdict["table"]["stones"] == [11, 12, 12]
    assert verdict["awaiting"] == {"seats": [1], "do": ["stone", "pass"]}


def test_scores_and_winners_only_when_finished(game):
    (transcript,) = [path for path in WHOLE_GAMES if path.stem == "three-players"]
    status, verdict, _ = game(transcript.read_bytes())
    assert status == 0
    assert list(verdict) == ["game", "finished", "awaiting", "refusals", "table", "scores", "winners", "tie_break"]
    assert verdict["tie_break"] is None
    assert (verdict["finished"], verdict["awaiting"]) == (True, None)
    assert [list(score) for score in verdict["scores"]] == [["seat", "player", "total", "parts"]] * 3
    for score in verdict["scores"]:
        assert score["total"] == sum(part["points"] for part in score["parts"])
        assert all(list(part) == ["for", "points", "rule"] for part in score["parts"])


def test_a_tie_break_that_decided_is_in_the_verdict_and_in_the_text(game):
    (transcript,) = [path for path in WHOLE_GAMES if path.stem == "tie-most-stones"]
    _, verdict, _ = game(transcript.read_bytes())
    tie = verdict["tie_break"]
    assert list(tie) == ["rule", "reason"]
    assert tie["rule"] == "L19"
    assert "the most stones win" in tie["reason"]
    _, text, _ = game(transcript.read_bytes(), as_json=False)
    assert f"Tie-break: {tie['reason']} (L19)\nWinner: " in text


def test_a_tie_that_all_of_the_tied_win_has_no_tie_break(game):
    (transcript,) = [path for path in WHOLE_GAMES if path.stem == "tie-equal-stones"]
    _, verdict, _ = game(transcript.read_bytes())
    assert len(verdict["winners"]) > 1
    assert verdict["tie_break"] is None
    _, text, _ = game(transcript.read_bytes(), as_json=False)
    assert "Tie-break" not in text


def test_the_table_tells_secret_stones_too(game):
    _, verdict, _ = game(HEADER | {"options": {"stones": "secret"}})
    assert verdict["table"]["stones"] == [12, 12, 12]


def test_the_output_is_one_line_of_ascii(game, tmp_path, capsys):
    game(HEADER | {"players": ["Zoë", "\ud800", "C\u2028"]}, {"do": "stone", "seat": 0})
    adjudicate(tmp_path / "game.jsonl", as_json=True)
    out = capsys.readouterr().out
    assert out.isascii()
    assert out.count("\n") == 1


# --- Refused, never a crash -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        {"do": "draw"},
        {"do": "draw", "card": 5},
        {"do": "draw", "card": None},
        {"do": "draw", "card": "unicorn"},
        {"do": "draw", "card": "\ud800\x00\x1b[31m"},
        {"do": "draw", "card": "x" * 10_000},
        {"do": "choose", "colour": "blue"},
        {"do": "choose", "seat": 0},
        {"do": "choose", "seat": 0, "colour": ["blue"]},
        {"do": "stone"},
        {"do": "stone", "seat": True},
        {"do": "stone", "seat": 0.0},
        {"do": "stone", "seat": "0"},
        {"do": "stone", "seat": None},
        {"do": "stone", "seat": -1},
        {"do": "stone", "seat": 3},
        {"do": "stone", "seat": 10**99},
        '{"do":"stone","seat":' + "9" * 5000 + "}",
        '{"do":"stone","seat":1e999}',
        {"do": "pass", "seat": [0]},
        {"do": "end"},
    ],
)
def test_an_action_that_lacks_something_is_refused_with_a_reason(game, action):
    for before in ([], ROW, [*ROW, *CHOICES]):
        status, verdict, _ = game(HEADER, *before, action)
        assert status == 1
        (refusal,) = verdict["refusals"]
        assert refusal["line"] == len(before) + 2
        assert refusal["reason"].isprintable()
        assert game(HEADER, *before)[1]["table"] == verdict["table"]


def test_extra_fields_are_ignored_and_a_seat_where_none_is_needed(game):
    status, verdict, _ = game(HEADER, *({**draw, "seat": "nobody", "at": 12.5} for draw in ROW))
    assert (status, verdict["table"]["phase"]) == (0, "choose")


# --- Exit status 2 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ([""], "line 1"),
        ([HEADER | {"first": 9}], "line 1"),
        ([HEADER | {"options": {"tie": "dice"}}], "line 1"),
        ([HEADER, {"do": "stone", "seat": 0}, "", {"do": "fly"}], "line 4"),
        ([HEADER, "[1]"], "line 2"),
        ([HEADER, {"do": "end"}, {"card": "x"}], "line 3"),
        ([HEADER | {"box": "nowhere.toml"}], "line 1"),
        ([HEADER | {"box": "game.jsonl"}], "line 1"),
        ([HEADER | {"box": "."}], "line 1"),
        ([HEADER | {"box": ""}], "line 1"),
        ([HEADER | {"box": "a\0b"}], "line 1"),
        ([HEADER | {"box": "\ud800"}], "line 1"),
        ([b"\xff\xfe"], "line 1"),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_what_cannot_be_read_says_so_on_stderr_alone(game, lines, place, as_json):
    status, out, err = game(*lines, as_json=as_json)
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert f"game.jsonl, {place}: " in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["nothing.jsonl", ".", "a\0b", "\udcff"])
def test_a_file_that_is_not_there_or_is_a_directory(tmp_path, capsys, name):
    assert adjudicate(tmp_path / name) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("companion: ")


# --- Boxes ----------------------------------------------------------------------------------------------------


def test_a_box_is_found_beside_the_transcript(game, tmp_path):
    (tmp_path / "mine.toml").write_text(standin().replace("aurochs-", "Ur-"), encoding="utf-8")
    status, verdict, _ = game(HEADER | {"box": "mine.toml"}, {"do": "draw", "card": "Ur-brown-blue"})
    assert (status, verdict["table"]["row"]) == (0, ["Ur-brown-blue"])


def test_a_bad_box_is_named_with_its_entry(game, tmp_path):
    (tmp_path / "mine.toml").write_text(standin().replace('"aurochs"', '"cow"', 1), encoding="utf-8")
    status, _, err = game(HEADER | {"box": "mine.toml"})
    assert status == 2
    assert "mine.toml: cards, entry 1 ('aurochs-brown-blue'): animal: expected one of aurochs, " in err


# --- Text -----------------------------------------------------------------------------------------------------


def test_the_text_tells_players_refusals_the_table_and_whose_move_it_is(game):
    status, text, _ = game(HEADER, *ROW, {"do": "stone", "seat": 9}, *CHOICES, {"do": "pass", "seat": 0}, as_json=False)
    assert status == 1
    assert text == (
        "lascaux: Anna, Ben and Cleo, with the stand-in box of lascaux\n"
        "\n"
        "Refused\n"
        "  line 5: There is no seat 9; the seats are 0 to 2\n"
        "\n"
        "The table\n"
        "  round: 1\n"
        "  start: Anna\n"
        "  direction: clockwise\n"
        "  phase: bid\n"
        "  row: aurochs-brown-blue, aurochs-yellow-white, aurochs-green-pink\n"
        "  deck: 51\n"
        "  pot: 0\n"
        "  pile: Anna\n"
        "  Anna: stones: 12; won: none; chosen: yes\n"
        "  Ben: stones: 12; won: none; chosen: yes\n"
        "  Cleo: stones: 12; won: none; chosen: yes\n"
        "\n"
        "To act: Ben (stone or pass)\n"
    )


def test_the_text_gives_the_reason_for_every_point(game):
    (transcript,) = [path for path in WHOLE_GAMES if path.stem == "three-players"]
    _, verdict, _ = game(transcript.read_bytes())
    _, text, _ = game(transcript.read_bytes(), as_json=False)
    assert "All actions were accepted." in text
    assert text.count("(L17)") == sum(part["rule"] == "L17" for score in verdict["scores"] for part in score["parts"])
    for score in verdict["scores"]:
        assert f"  {score['player']}: {score['total']} points\n" in text
    assert "has the most" in text
    assert text.splitlines()[-1].startswith("Winner")


def test_names_are_made_harmless_in_the_text(game):
    names = ["\x1b[2JAnna", "\u202eneB", "\n\nwinner: Cleo"]
    _, text, _ = game(HEADER | {"players": names}, *ROW, *CHOICES, {"do": "stone", "seat": 2}, as_json=False)
    assert all(line.isprintable() for line in text.splitlines())
    assert not any(line.startswith("winner") for line in text.splitlines())


def test_a_player_without_a_readable_name_is_known_by_their_seat(game):
    _, text, _ = game(HEADER | {"players": ["", "\u200b", "Cleo"]}, as_json=False)
    assert "lascaux: seat 0, seat 1 and Cleo" in text


def test_a_terminal_that_knows_only_ascii_gets_question_marks(tmp_path, monkeypatch):
    import io
    import sys

    (tmp_path / "game.jsonl").write_text(json.dumps(HEADER | {"players": ["Zoë", "B", "C"]}))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert adjudicate(tmp_path / "game.jsonl") == 0
    sys.stdout.flush()
    assert b"Zo?, B and C" in sys.stdout.buffer.getvalue()


# --- Fuzz -----------------------------------------------------------------------------------------------------


def statuses(data: bytes, folder: Path) -> set[int]:
    path = folder / "fuzz.jsonl"
    path.write_bytes(data)
    return {adjudicate(path, as_json=as_json) for as_json in (True, False)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200))
def test_random_bytes_never_crash(folder, data):
    assert len(statuses(data, folder)) == 1
    assert statuses(json.dumps(HEADER).encode() + b"\n" + data, folder) <= {0, 1, 2}


@settings(max_examples=100, deadline=None)
@given(which=st.integers(0, 20), seed=st.integers(0, 2**32), changes=st.integers(1, 6))
def test_damaged_transcripts_never_crash(folder, which, seed, changes):
    chance = Random(seed)
    data = bytearray(WHOLE_GAMES[which % len(WHOLE_GAMES)].read_bytes())
    for _ in range(changes):
        start = chance.randrange(len(data))
        data[start : start + chance.choice((0, 0, 1, 1, 5, 200))] = chance.choice(
            (b"", b"\n", b'"', b"{", b"-1", b"null", b"\xff", b"[]", b"\r", b",", chance.randbytes(3))
        )
    assert statuses(bytes(data), folder) in ({0}, {1}, {2})


plain_values = (
    st.none()
    | st.booleans()
    | st.integers(-3, 6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.sampled_from(["blue", "end"])
)
values = st.recursive(
    plain_values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
actions = st.builds(
    lambda do, fields: {**fields, "do": do},
    st.sampled_from(["draw", "choose", "stone", "pass", "end"]),
    st.fixed_dictionaries({}, optional={"seat": values, "card": values, "colour": values, "more": values}),
)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(actions, max_size=8), begun=st.booleans())
def test_actions_with_any_values_are_accepted_or_refused(folder, lines, begun):
    before = [*ROW, *CHOICES] if begun else []
    text = "\n".join(json.dumps(line) for line in (HEADER, *before, *lines))
    assert statuses(text.encode(), folder) in ({0}, {1})


# --- Long transcripts -----------------------------------------------------------------------------------------


def test_half_a_character_in_a_refused_line_is_reported_and_does_no_harm(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(f'{json.dumps(HEADER)}\n{{"do":"\\ud800","seat":0}}\n{{"do":"draw","card":"\\ud800"}}\n')
    assert adjudicate(path) == 2
    path.write_text(
        f'{json.dumps(HEADER)}\n{{"do":"draw","card":"\\ud800"}}\n{{"do":"choose","seat":0,"colour":"\\ud800"}}\n'
    )
    assert adjudicate(path) == 1
    path.write_text(
        f'{json.dumps(HEADER)[:-1]},"\\ud800":1}}\n{{"do":"draw","card":"aurochs-brown-blue","x\\udfff":{{"\\ud800":[]}}}}\n'
    )
    assert adjudicate(path) == 0, "extra fields are ignored, whatever they are called"


def test_deep_nests_with_escapes_are_reported(tmp_path):
    path = tmp_path / "game.jsonl"
    for deep in (300, 450, 490, 700, 900, 990):
        nest = "[" * deep + '"\\ud800"' + "]" * deep
        path.write_text(f'{json.dumps(HEADER)}\n{{"do":"stone","seat":"\\ud800","more":{nest}}}\n')
        assert adjudicate(path) in (1, 2), deep


torn = st.sampled_from(["\ud800", "x\udfff", "\udc80\ud800", "0\ud800", "\ud83d"])
anything = st.recursive(
    torn | st.none() | st.booleans() | st.integers(-2, 5) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(torn | st.sampled_from(["on", "seat"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@st.composite
def torn_transcripts(draw):
    """A header and actions of any game, each field of which may hold half a character, or be anything else."""
    game = discovery.find(draw(st.sampled_from(GAMES)))
    options = dict.fromkeys([field.name for field in msgspec.structs.fields(game.options)], anything)
    header = {"game": game.name, "players": ["A", "\ud800", "C"]}
    header |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "players": anything,
                "first": anything,
                "box": torn,
                "more": anything,
                "options": anything | st.fixed_dictionaries({}, optional=options | {"\ud800": anything}),
            },
        )
        if draw(st.booleans())
        else st.just({})
    )
    lines = []
    for kind in draw(st.lists(st.sampled_from(game.actions), max_size=4)):
        fields = [field.encode_name for field in msgspec.structs.fields(kind)]
        action = draw(st.fixed_dictionaries({}, optional=dict.fromkeys([*fields, "more", "\ud800"], anything)))
        lines.append({**action, "do": kind.__struct_config__.tag})
    return "\n".join(map(json.dumps, (header, *lines)))


@settings(max_examples=300, deadline=None)
@given(torn_transcripts())
def test_half_a_character_anywhere_in_any_game_is_refused_or_told_and_can_be_printed(folder, text):
    path = folder / "torn.jsonl"
    path.write_text(text)
    said = set()
    for as_json in (False, True):
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
        with redirect_stdout(out), redirect_stderr(err):
            said.add(adjudicate(path, as_json=as_json))
            out.flush(), err.flush()
        if as_json and said != {2}:
            json.loads(out.buffer.getvalue())
    assert said in ({0}, {1}, {2})


@pytest.mark.slow
def test_a_long_transcript_takes_no_more_memory_than_a_short_one(tmp_path):
    """Each line is read, judged and forgotten; what is refused goes to a file."""
    most = []
    for lines in (10_000, 50_000):
        path = tmp_path / "game.jsonl"
        path.write_text(f"{json.dumps(HEADER)}\n" + '{"do":"stone","seat":0}\n{"do":"stone","seat":1}\n' * (lines // 2))
        told = subprocess.run(
            [sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True, timeout=300
        )
        most.append(int(told.stderr))
        assert len(json.loads(told.stdout)["refusals"]) == lines
    assert most[1] - most[0] < 1_000


MEASURED = """
import sys
from companion.cli import main
assert main(["adjudicate", sys.argv[1], "--json"]) == 1
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


# --- What readable text says besides --------------------------------------------------------------------------

DATA = Path(__file__).parents[1] / "data"


def text_of(path: Path, capsys) -> str:
    adjudicate(path)
    return capsys.readouterr().out


def hunting(tmp_path: Path, *cards: str) -> Path:
    """Three players of Sioux lay these cards, hunt after hunt."""
    lines: list[dict[str, object]] = [{"game": "sioux", "players": ["Anna", "Ben", "Cleo"]}]
    lines += [{"do": "play", "seat": seat, "card": card} for hunt in cards for seat, card in enumerate(hunt.split())]
    path = tmp_path / "hunt.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


WINTER = ("13 crow 2", "12 2 crow", "11 3 5")
"""Anna gets 11 and 10; the others have nothing, and are tied."""


def test_S20_while_supply_cards_are_dealt_the_text_names_who_deals(tmp_path, capsys):
    told = text_of(hunting(tmp_path, *WINTER), capsys)
    assert "To act: Ben and Cleo (dealt)" in told
    assert (
        "Ben and Cleo are tied: Anna shuffles and deals the supply cards 2 and 1; then say who got which (S20)" in told
    )


def test_the_text_names_the_owner_of_the_hunter_card(tmp_path, capsys):
    path = hunting(tmp_path, *WINTER)
    assert "  hunter: none\n" in text_of(path, capsys)
    path.write_text(path.read_text() + '\n{"do":"dealt","seats":[2,1]}\n', encoding="utf-8")
    assert "  hunter: Anna\n" in text_of(path, capsys)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (
            "lascaux/tie-equal-stones.jsonl",
            r"Shared: .* have \d+ points and \d+ stones each: they share the victory \(L19\)",
        ),
        (
            "sioux/shared.jsonl",
            r"Shared: .* have \d+ points each, \d+ of them in winter 3: they share the victory \(S23\)",
        ),
    ],
)
def test_a_shared_victory_is_explained_with_what_was_compared(file, why, capsys):
    told = text_of(DATA / file, capsys)
    assert re.search(why, told), told[-600:]
    adjudicate(DATA / file, as_json=True)
    assert json.loads(capsys.readouterr().out)["tie_break"] is None


def test_negative_numbers_have_a_minus_sign_wherever_people_read_them(capsys):
    told = text_of(DATA / "darwinci" / "anything-goes.jsonl", capsys)
    assert re.search(r"−\d", told)
    assert not re.search(r"(?<![\w-])-\d", told)
