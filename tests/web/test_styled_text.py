"""Styled text for a browser: every letter once, in its place, and looking as Textual would draw it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content, Span

from companion.language.screen_language import speaking
from companion.web.styled_text import Appearance, Run, in_words, label, lines, parsed

STYLES = ("bold", "italic", "on $primary", "#112233", "red on blue", "$quiet", "bold #000000 on $success", "")


@st.composite
def pictures(draw: st.DrawFn) -> Content:
    text = draw(st.text("ab █\n", max_size=20))
    places = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(places, places, st.sampled_from(STYLES)), max_size=6))
    return Content(text, [Span(min(one, other), max(one, other), style) for one, other, style in spans])


def each_letter(run: Run) -> list[tuple[str, str, str, str]]:
    flags, ink, paper = (*run[1:], "", "", "")[:3]
    return [(letter, flags, ink, paper) for letter in run[0]]


def naively(content: Content, place: int) -> tuple[str, str, str, str]:
    look = Appearance()
    for span in content.spans:
        if span.start <= place < span.end:
            look = parsed(span.style).over(look)
    return content.plain[place], "".join(sorted(look.flags)), look.ink, look.paper


@given(pictures())
def test_every_letter_is_there_once_and_looks_as_the_spans_over_it_say(content: Content) -> None:
    drawn = [[letter for run in line for letter in each_letter(run)] for line in lines(content)]
    wanted: list[list[tuple[str, str, str, str]]] = [[]]
    for place, letter in enumerate(content.plain):
        wanted[-1].append(naively(content, place)) if letter != "\n" else wanted.append([])
    assert drawn == wanted


@given(pictures())
def test_neighbours_that_look_the_same_are_one_run(content: Content) -> None:
    for line in lines(content):
        assert all(one[1:] != other[1:] for one, other in pairwise(line))


def test_what_is_reversed_has_ink_and_paper_exchanged() -> None:
    assert lines(Content.styled("x", "red on blue reverse")) == [[["x", "", "#0000ff", "#ff0000"]]]
    assert lines(Content.styled("x", "reverse")) == [[["x", "", "$background", "$foreground"]]]


def test_a_label_has_no_empty_line_before_or_after_its_words_and_keeps_those_between() -> None:
    assert label("\n  \nBuild\n\nhere\n \n\n") == lines(Content("Build\n\nhere"))
    assert label(Content.styled("\n\nBuild\n", "bold")) == lines(Content.styled("Build", "bold"))
    assert label("\n \n") == []


def test_words_of_a_style_mean_what_textual_means_by_them() -> None:
    assert parsed("bold not bold") == parsed("none") == parsed("") == Appearance()
    assert parsed("not bold italic") == parsed("italic")
    assert parsed("bold on auto #112233") == parsed("bold on #112233")
    assert (parsed("bold italic #112233 on $success").ink, parsed("on red").paper) == ("#112233", "#ff0000")


# --- For players who listen -------------------------------------------------------------------------------------


def test_the_signs_of_cards_become_words_and_signs_beside_their_word_are_left_out() -> None:
    assert in_words("Cleo ► ♣8  last: ♦ Q") == "Cleo, 8 of clubs last: queen of diamonds"
    assert in_words("♠10 ♥A") == "10 of spades ace of hearts"
    assert in_words("Trumps: ♥ hearts") == "Trumps: hearts"
    assert in_words("♥ Kings") == "Kings", "only whole ranks"
    with speaking("de"):
        assert in_words("♥D") == "Herz-Dame"


def test_a_line_of_a_list_is_said_without_its_dash() -> None:
    assert in_words("– Anna's hand: 9 cards") == "Anna's hand: 9 cards"
    assert in_words("straight −1") == "straight −1"
