"""The docs as a site: built without a network, every link leads somewhere, nothing is loaded from outside."""

import re
from pathlib import Path

import pytest

from companion import gamekit
from tools import site

LOADED = re.compile(
    r"""<(?:script|img|iframe|source)[^>]+src="(https?:)?//|<link[^>]+href="(https?:)?//|url\((https?:)?//"""
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "html"
    assert site.main(["--strict", "--site-dir", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_the_site_is_built_and_loads_nothing_from_outside(built: Path) -> None:
    made = {page.relative_to(built).as_posix(): page for page in built.rglob("*.html")}
    assert {"index.html", "docs/architecture.html", "hardware/build/full-kit.html", "gamekit.html"} <= set(made)
    for name, page in made.items():
        assert not LOADED.search(page.read_text(encoding="utf-8")), name


@pytest.mark.slow
def test_the_reference_of_the_game_kit_has_every_name_that_a_game_imports(built: Path) -> None:
    page = (built / "gamekit.html").read_text(encoding="utf-8")
    assert set(gamekit.__all__) <= set(re.findall(r'id="companion\.gamekit\.(\w+)"', page))


@pytest.mark.slow
def test_a_page_that_no_menu_leads_to_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So are anchors that are not there: mkdocs warns, and a warning counts."""
    monkeypatch.setattr(site, "REFERENCE", "# Another page\n\n[nowhere](README.md#no-such-heading)\n")
    assert site.main(["--strict", "--site-dir", str(tmp_path / "html")]) == 1


def test_a_news_fragment_is_not_a_page(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    for name in ("README.md", "search.added.md"):
        (tmp_path / "news" / name).write_text("A line.\n")
    assert site.pages(tmp_path) == [tmp_path / "news" / "README.md"]


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(
        "[one](b.md) and [other](../tools/x.py)\n\n```\n[in a fence](nowhere.md)\n```\n"
    )
    assert site.lay_out(tmp_path, tmp_path / "build" / "pages") == [
        "docs/a.md: b.md leads nowhere",
        "docs/a.md: ../tools/x.py leads nowhere",
    ]


def test_what_a_site_does_not_have_becomes_its_name_and_the_rest_is_copied(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "x.py").touch()
    (tmp_path / "plan.svg").write_text("<svg/>")
    (tmp_path / "README.md").write_text("[the tool](tools/x.py), [the plan](plan.svg), [above](#top)\n")
    assert site.lay_out(tmp_path, tmp_path / "build") == []
    assert (tmp_path / "build" / "README.md").read_text() == (
        "the tool (`tools/x.py`), [the plan](plan.svg), [above](#top)\n"
    )
    assert (tmp_path / "build" / "plan.svg").exists()
