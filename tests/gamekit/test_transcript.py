"""Reading transcripts: the form of the file, and messages that name the line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import TranscriptError
from companion.gamekit.transcript import Transcript, parse_transcript
from companion.home.transcript_files import SIZE_LIMIT, read_transcript

HEADER = '{"game":"lascaux","players":["Anna","Ben","Cleo"]}'


def read(*lines: str | bytes) -> Transcript:
    data = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    return parse_transcript(data, "game.jsonl", Path("games"))


def error(*lines: str | bytes) -> str:
    with pytest.raises(TranscriptError) as raised:
        read(*lines)
    return str(raised.value)


# --- The header -----------------------------------------------------------------------------------------------


def test_a_header_alone_is_a_transcript():
    transcript = read(HEADER)
    assert transcript.header.players == ("Anna", "Ben", "Cleo")
    assert (transcript.header.first, transcript.header.options, transcript.box) == (0, {}, None)
    assert transcript.lines == ()


def test_the_box_is_found_relative_to_the_transcript(tmp_path):
    assert read(HEADER[:-1] + ',"box":"boxes/mine.toml"}').box == Path("games/boxes/mine.toml")
    assert read(HEADER[:-1] + ',"box":"/home/mine.toml"}').box == Path("/home/mine.toml")
    (tmp_path / "game.jsonl").write_text(HEADER[:-1] + ',"box":"mine.toml"}')
    assert read_transcript(tmp_path / "game.jsonl").box == tmp_path / "mine.toml"


def test_extra_fields_of_a_header_are_ignored():
    assert read(HEADER[:-1] + ',"evening":"2024-05-01"}').header.game == "lascaux"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "there is no header"),
        ("   ", "there is no header"),
        ("# a comment", "there is no header"),
        ("[]", "found a list, expected an object"),
        ('"lascaux"', 'found "lascaux", expected an object'),
        ("null", "found null, expected an object"),
        ("{", "expected JSON"),
        ("{}", "'game' is missing, expected game, players"),
        ('{"game":"lascaux"}', "'players' is missing"),
        ('{"game":"chess","players":["A","B","C"]}', "there is no game 'chess'"),
        ('{"game":5,"players":["A","B","C"]}', "game: expected text, found a whole number"),
        ('{"game":"lascaux","players":"Anna"}', "players: expected a list, found text"),
        ('{"game":"lascaux","players":["A","B",3]}', "players, number 3: expected text, found a whole number"),
        ('{"game":"lascaux","players":["A","B"]}', "lascaux is for 3 to 5 players, you named 2"),
        ('{"game":"lascaux","players":["A","B","C","D","E","F"]}', "lascaux is for 3 to 5 players, you named 6"),
        (HEADER[:-1] + ',"first":3}', "there is no seat 3"),
        (HEADER[:-1] + ',"first":-1}', "there is no seat -1"),
        (HEADER[:-1] + ',"first":true}', "first: expected a whole number, found true or false"),
        (HEADER[:-1] + ',"first":1.0}', "first: expected a whole number"),
        (HEADER[:-1] + ',"first":' + "9" * 5000 + "}", "first: expected a whole number"),
        (HEADER[:-1] + ',"first":null}', "first: expected a whole number, found nothing"),
        (HEADER[:-1] + ',"options":[]}', "options: expected keys with values, found a list"),
        (HEADER[:-1] + ',"options":{"colour":"red"}}', "lascaux has no option 'colour'"),
        (HEADER[:-1] + ',"options":{"tie":"dice"}}', "option tie: 'dice' is not one of"),
        (HEADER[:-1] + ',"options":{"tie":1}}', "option tie: "),
        (HEADER[:-1] + ',"options":{"tie":null}}', "option tie: null is not one of"),
        (HEADER[:-1] + ',"options":{"tie":true}}', "option tie: true is not one of"),
        (HEADER[:-1] + ',"options":{"tie":[null]}}', "option tie: a list is not one of"),
        (HEADER[:-1] + ',"options":{"\\ud800":1}}', "lascaux has no option '\\\\ud800'"),
        (HEADER[:-1] + ',"options":{"tie":"\\ud800"}}', "option tie: '\\ud800' is not one of"),
        (HEADER[:-1] + ',"options":"\\ud800"}', "options: expected keys with values, found text"),
        (HEADER[:-1] + ',"first":"\\ud800"}', "first: expected a whole number, found text"),
        ('{"game":"lascaux","players":"\\ud800"}', "players: expected a list, found text"),
        (HEADER[:-1] + ',"box":7}', "box: expected text or nothing, found a whole number"),
    ],
)
def test_a_bad_header_is_named_with_line_1(header, message):
    said = error(header, '{"do":"end"}')
    assert said.startswith("game.jsonl, line 1: ")
    assert message in said


# --- The lines ------------------------------------------------------------------------------------------------


def test_skipped_lines_count_in_the_numbering():
    transcript = read(HEADER, "", "# a comment", '{"do":"end"}', "  \t ", "   # indented", '{"do":"end"}', "")
    assert [line.number for line in transcript.lines] == [4, 7]


def test_carriage_returns_are_accepted():
    transcript = read(HEADER + "\r", "\r", '{"do":"stone","seat":1}\r', "# comment\r")
    assert [(line.number, line.action) for line in transcript.lines] == [(3, {"do": "stone", "seat": 1})]


def test_lines_end_only_at_a_newline():
    """Other characters that some would split at may stand in a name, and must not shift the numbering."""
    transcript = read(HEADER, '{"do":"draw","card":"a\u2028b\u2029c\x85d"}', '{"do":"end"}')
    assert transcript.lines[0].action["card"] == "a\u2028b\u2029c\x85d"


def test_a_byte_order_mark_is_tolerated():
    assert read(b"\xef\xbb\xbf" + HEADER.encode(), '{"do":"end"}').lines[0].number == 2


def test_comments_may_be_in_any_encoding():
    assert read(HEADER, b"# Zo\xeb passes", '{"do":"end"}').lines[0].number == 3


def test_what_an_action_lacks_is_not_judged_here():
    assert read(HEADER, '{"do":"stone"}').lines[0].action == {"do": "stone"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("draw", "expected JSON"),
        ('{"do":"end"', "expected JSON"),
        ('{"do":"end"}}', "expected JSON"),
        ('{"do":"end"} # why', "expected JSON"),
        ("{'do':'end'}", "expected JSON"),
        ('{"do":"stone","seat":NaN}', "NaN is no number, expected JSON"),
        ('{"do":"stone","seat":01}', "expected JSON"),
        ('{"do":"draw","card":"\x00"}', "expected JSON"),
        ("\x00", "expected JSON"),
        ("\ufeff" + '{"do":"end"}', "expected JSON"),
        (b'{"do":"draw","card":"\xff"}', "byte 22 is not UTF-8"),
        ("[]", "found a list, expected an object"),
        ("17", "found 17, expected an object"),
        ("{}", 'this action has no "do", expected one of draw, choose, stone, pass, end'),
        ('{"seat":1}', 'this action has no "do"'),
        ('{"do":"fly"}', 'lascaux has no action "fly", expected one of draw, choose, stone, pass, end'),
        ('{"do":null}', "lascaux has no action null"),
        ('{"do":["end"]}', "lascaux has no action a list"),
        ('{"do":"End"}', 'lascaux has no action "End"'),
        ('{"do":"\\ud800"}', 'lascaux has no action "\\ud800"'),
        ('{"do":"end","x":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_number(line, message):
    said = error(HEADER, "# a comment", line, '{"do":"end"}')
    assert said.startswith("game.jsonl, line 3: ")
    assert message in said


@pytest.mark.parametrize(
    "line",
    [
        '{"do":"stone","do":"pass","seat":1,"seat":2}',
        '{"do":"stone","seat":1e999}',
        '{"do":"stone","seat":-1e999}',
        '{"do":"stone","seat":' + "9" * 5000 + "}",
        '{"do":"stone","seat":-' + "9" * 100_000 + "}",
        '{"do":"draw","card":"\\ud800"}',
        '{"do":"draw","card":"\\u0000"}',
        '{"do":"draw","card":{"a":[1,{"b":null}]}}',
    ],
)
def test_odd_values_in_an_action_are_left_to_the_rules(line):
    assert len(read(HEADER, line).lines) == 1


# --- Files ----------------------------------------------------------------------------------------------------


def file_error(path: Path) -> str:
    with pytest.raises(TranscriptError) as raised:
        read_transcript(path)
    return str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    assert file_error(tmp_path / "no.jsonl").endswith("no.jsonl: this transcript is missing: there is no such file")


def test_a_directory_is_no_transcript(tmp_path):
    assert file_error(tmp_path).endswith("cannot read this transcript: this is a folder, not a file")


def test_a_name_that_no_file_can_have():
    assert "there is no such file" in file_error(Path("a\0b"))


def test_an_empty_file(tmp_path):
    (tmp_path / "game.jsonl").touch()
    assert "line 1: there is no header" in file_error(tmp_path / "game.jsonl")


def test_a_huge_file_is_not_read_to_its_end(tmp_path):
    with (tmp_path / "game.jsonl").open("wb") as file:
        file.truncate(SIZE_LIMIT * 1000)
    assert f"too long for a transcript, expected at most {SIZE_LIMIT} bytes" in file_error(tmp_path / "game.jsonl")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    for prefix in (b"", HEADER.encode() + b"\n"):
        try:
            parse_transcript(prefix + data, "game.jsonl")
        except TranscriptError as error:
            message = str(error)
        else:
            continue
        assert message.startswith("game.jsonl, line ")
