"""Cards on a phone: the same figures, numbers, words and refusals as on a screen."""

import msgspec
from playwright.async_api import Browser

from companion.gamekit import discovery
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.web.phone_menus import PhoneButton, offered, opened
from companion.web.seat_sight import SeatSight
from tests.ours import GAMES
from tests.screen.games import positions, seen
from tests.web.browser import PagePhone
from tests.web.evening import evening


def sights(game: str) -> list[SeatSight]:
    """What the phone of the player in turn sees, at some moments of a game."""
    rules, found = discovery.find(game), []
    for state in positions(game, 6)[::4]:
        awaiting = rules.awaiting(state)
        if awaiting is not None:
            seat = awaiting.seats[0]
            own = rules.own_view(state, seat) if rules.own_view else None
            view = OwnView("", seat, 1, own, tuple(rules.own_offers(state, seat)))
            shown = msgspec.json.decode(msgspec.json.encode(seen(game, state)), type=Snapshot)
            found.append(
                SeatSight(shown, find_face(game), msgspec.json.decode(msgspec.json.encode(view), type=OwnView))
            )
    return found


def test_a_phone_shows_the_words_the_number_and_the_refusal_of_each_choice() -> None:
    refused = 0
    for game in GAMES:
        for sight in sights(game):
            for number, _command, actions in offered(sight):
                menu, shown = sight.face.phone_menu(sight, actions), opened(sight, (number,))
                if menu is not None and shown is not None:
                    for choice, button in zip(menu.choices, shown.buttons, strict=True):
                        assert (button.words, button.refused, button.large) == (
                            choice.words,
                            choice.refused,
                            choice.large,
                        )
                        assert bool(button.picture) == bool(choice.draw and not button.figure)
                        refused += bool(button.refused)
    assert refused, "a card of Carnuta that cannot be paid"


DRAWN = """async ([known]) => {
  const { button } = await import("/drawing.js");
  window.pressed = 0;
  const element = button(known, () => { window.pressed += 1; });
  document.querySelector("main").append(element);
  element.click();
  return [element.innerText, element.getAttribute("aria-disabled"), window.pressed];
}"""


def test_a_card_on_the_page_is_a_number_with_its_words_and_a_refused_one_says_why(in_browser) -> None:
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            phone = await PagePhone.scan(browser, table, 0)
            card = PhoneButton([[["shaman"]]], {}, large="7", words="counts 7")
            for known, said in (
                (card, ["7\nshaman\ncounts 7", None, 1]),
                (msgspec.structs.replace(card, refused="no"), ["7\nshaman\nno", "true", 0]),
            ):
                shown = await phone.page.evaluate(DRAWN, [msgspec.to_builtins(known)])
                assert [" ".join(str(shown[0]).split()), *shown[1:]] == [" ".join(str(said[0]).split()), *said[1:]]

    in_browser(play)
