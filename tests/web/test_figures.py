"""The figures of a game on phones: files that an installed game has are served as they are, and nothing else is."""

import asyncio

import pytest
from yarl import URL

from companion.gamekit.figure import figures_of
from companion.web.page_files import figure_path
from tests.ours import GAMES
from tests.strangers import GOPS, announce, gops_installed
from tests.web.evening import BarePhone, PhonesTable, evening

DIAMONDS = GOPS / "gops" / "figures" / "diamonds.svg"


async def _get(table: PhonesTable, path: str) -> tuple[int, bytes, dict[str, str]]:
    """As it is written: no client of ours tidies the path up."""
    async with BarePhone(table, 0) as phone:
        url = URL(f"{table.url}{path}", encoded=True)
        async with phone.session.get(url) as answer:
            return answer.status, await answer.read(), {**answer.headers}


def test_every_figure_of_every_game_is_served_as_the_page_s_own_files_are():
    async def look() -> None:
        async with evening() as table:
            _, _, icon = await _get(table, "/icon.svg")
            for game in GAMES:
                for name, path in figures_of(game).files.items():
                    status, body, headers = await _get(table, figure_path(game, name))
                    assert (status, body) == (200, path.read_bytes())
                    assert headers | {"Date": "", "Content-Length": ""} == icon | {"Date": "", "Content-Length": ""}
            assert headers["Content-Type"] == "image/svg+xml; charset=utf-8"

    asyncio.run(look())


@pytest.mark.parametrize(
    "path",
    [
        "/figures/lascaux/mammut.svg",
        "/figures/chess/disc.svg",
        "/figures/lascaux/",
        "/figures/lascaux/mammoth",
        "/figures/lascaux/../../web/page/icon.svg",
        "/figures/lascaux/..%2f..%2f..%2fweb%2fpage%2ficon.svg",
        "/figures/..%2f..%2fweb/page%2ficon.svg",
        "/figures/lascaux/%2e%2e/%2e%2e/%2e%2e/web/page/icon.svg",
        "/figures/lascaux/mammoth%00.svg",
        "/figures/lascaux//etc/passwd.svg",
        "/figures/lascaux/mammoth.svg/",
    ],
)
def test_no_other_name_and_no_other_path_is_served(path):
    async def look() -> None:
        async with evening() as table:
            status, body, _ = await _get(table, path)
            assert (status, body) == (404, b"")
            assert (await _get(table, "/figures/lascaux/mammoth.svg"))[0] == 200

    asyncio.run(look())


ODD = """
from msgspec.structs import replace
from companion.gamekit import discovery

GAME = replace(discovery.find("lascaux"), name="odd")
"""


def test_a_strangers_figure_with_a_script_in_it_is_never_served_and_reported_for_players(tmp_path, monkeypatch):
    """A page puts what it gets into itself."""
    figures = tmp_path / "odd" / "figures"
    figures.mkdir(parents=True)
    (figures / "ok.svg").write_bytes(DIAMONDS.read_bytes())
    (figures / "evil.svg").write_text(DIAMONDS.read_text().replace("</svg>", "<script>1</script></svg>"))
    manifest = {"name": "odd", "api": 1, "rules": "odd.rules:GAME", "figures": "odd"}
    (tmp_path / "odd" / "__init__.py").write_text(f"MANIFEST = {manifest}")
    (tmp_path / "odd" / "rules.py").write_text(ODD)
    announce(tmp_path, "odd", "odd")

    async def look() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            assert (await _get(table, "/figures/odd/ok.svg"))[0] == 200
            assert (await _get(table, "/figures/odd/evil.svg"))[:2] == (500, b"")
            assert table.reported == []  # a stranger must not fill the disk
            await phone.join()
            async with phone.session.get(f"{table.url}/figures/odd/evil.svg") as answer:
                assert answer.status == 500
            (reported,) = table.reported
            assert f"{figures / 'evil.svg'}, line 4: <script> is not among" in str(reported)

    with gops_installed(tmp_path, monkeypatch):
        asyncio.run(look())


# --- On buttons -----------------------------------------------------------------------------------------------------


def _figures(buttons) -> list[str]:
    return [button.get("figure", "") for button in buttons]


def test_lascaux_shows_a_shape_on_each_marker_and_each_animal_on_its_button():
    async def look() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as phone:
            table.prepared()
            await phone.sit()
            await phone.see(lambda view: view["entry"] == table.evening.number)
            animals = ("aurochs", "deer", "goat", "horse", "mammoth", "rhinoceros")
            shown = _figures(phone.view["menu"]["buttons"])
            assert sorted(shown) == [f"/figures/lascaux/{animal}.svg" for animal in animals]
            while table.legal()[0]["do"] == "draw":
                table.act(**table.legal()[0])
            await phone.see(lambda view: view["entry"] == table.evening.number)
            shapes = ("disc", "square", "triangle", "diamond", "bar", "plus")
            shown = _figures(phone.view["menu"]["buttons"])
            assert shown == [f"/figures/lascaux/{shape}.svg" for shape in shapes]

    asyncio.run(look())


def test_sioux_shows_the_crow_and_the_shaman_and_numbers_without_a_figure():
    async def look() -> None:
        async with evening("sioux") as table, BarePhone(table, 0) as phone:
            table.prepared()
            await phone.sit()
            await phone.see(lambda view: view.get("menu") and view["entry"] == table.evening.number)
            shown = [path for path in _figures(phone.view["menu"]["buttons"]) if path]
            assert sorted(shown) == ["/figures/sioux/crow.svg", "/figures/sioux/shaman.svg"]

    asyncio.run(look())


def test_a_strangers_game_shows_figures_of_its_own_package(tmp_path, monkeypatch):
    async def look() -> None:
        async with evening("gops") as table, BarePhone(table, 0) as phone:
            table.prepared()
            await phone.sit()
            await phone.see(lambda view: view.get("menu"))
            assert {*_figures(phone.view["menu"]["buttons"])} == {"/figures/gops/diamonds.svg"}
            _, body, _ = await _get(table, "/figures/gops/diamonds.svg")
            assert body == DIAMONDS.read_bytes()

    with gops_installed(tmp_path, monkeypatch):
        asyncio.run(look())


def test_a_name_without_a_file_shows_the_label_alone():
    assert figure_path("sioux", "walrus") == ""
    assert figure_path("sioux", "../paper") == ""


@pytest.mark.parametrize(("has_code", "reported"), [(True, 1), (False, 0)])
def test_a_mistake_in_a_handler_is_reported_only_for_a_client_that_has_a_code(has_code, reported, monkeypatch):
    """Any other client could have reports written without end."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async def look() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            monkeypatch.setattr("companion.web.server.figure_file", broken)
            if has_code:
                assert await phone.join() == 204
            async with phone.session.get(f"{table.url}{figure_path('lascaux', 'mammoth')}") as answer:
                assert answer.status == 500
            assert [type(each) for each in table.reported] == [ZeroDivisionError] * reported

    asyncio.run(look())
