"""`companion print`: a PDF, or one line that says why not."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.cli import main
from companion.gamekit import discovery
from companion.home.enrolment_progress import was_printed
from companion.home.paths import box_path
from companion.paper.pages import SHEETS

STANDIN = discovery.find("lascaux").standin()


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)


def test_a_box_is_written_under_a_name_that_tells_what_it_is(capsys) -> None:
    assert main(["print", "Lascaux", "--paper", "letter", "--language", "de", "--grey"]) == 0
    told = capsys.readouterr().out
    assert "lascaux-letter-de-grey.pdf, 134 pieces on 9 pages" in told
    assert "84 stickers" in told
    assert "`companion enroll lascaux`" in told
    pages = PdfReader(io.BytesIO(Path("lascaux-letter-de-grey.pdf").read_bytes())).pages
    assert float(pages[0].mediabox.width) == pytest.approx(SHEETS["letter"].width * 72 / 25.4, abs=0.01)


def test_that_it_was_printed_is_remembered_as_long_as_the_box_is_the_same() -> None:
    assert not was_printed("lascaux", STANDIN)
    main(["print", "lascaux"])
    assert was_printed("lascaux", STANDIN)
    assert not was_printed("lascaux", STANDIN + "\n# changed")
    assert not was_printed("sioux", discovery.find("sioux").standin())


def test_a_box_that_is_not_in_use_has_to_be_made_ones_own_before_it_is_enrolled(tmp_path, capsys) -> None:
    other = tmp_path / "other.toml"
    other.write_text(STANDIN.replace("aurochs-brown-blue", "the-first-aurochs"))
    assert main(["print", "lascaux", "--box", str(other)]) == 0
    assert f"make this box yours ({box_path('lascaux')}), and `companion enroll lascaux`" in capsys.readouterr().out
    box_path("lascaux").parent.mkdir(parents=True)
    other.rename(box_path("lascaux"))
    assert was_printed("lascaux", box_path("lascaux").read_text())


def test_a_note_that_cannot_be_read_says_nothing(tmp_path) -> None:
    main(["print", "lascaux"])
    (tmp_path / "home" / "prints" / "lascaux.toml").write_bytes(b"\xff\xfe")
    assert not was_printed("lascaux", STANDIN)


def test_nothing_is_overwritten_unless_it_is_said(capsys) -> None:
    Path("mine.pdf").write_text("precious")
    assert main(["print", "lascaux", "-o", "mine.pdf"]) == 2
    assert "mine.pdf is there already; --force overwrites it" in capsys.readouterr().err
    assert Path("mine.pdf").read_text() == "precious"
    assert main(["print", "lascaux", "-o", "mine.pdf", "--force"]) == 0
    assert Path("mine.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "no/such/folder.pdf"], "there is no folder no/such"),
        (["-o", "."], "is a folder: name a file in it"),
        (["--box", "missing.toml"], "missing.toml: this box is missing"),
    ],
)
def test_what_cannot_be_is_reported_in_one_line(words, told, capsys) -> None:
    assert main(["print", "lascaux", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_bad_box_is_named_with_its_entry_and_nothing_is_written(tmp_path, capsys) -> None:
    path = box_path("lascaux")
    path.parent.mkdir(parents=True)
    path.write_text(STANDIN.replace('animal = "deer"', 'animal = "dragon"', 1))
    assert main(["print", "lascaux"]) == 2
    error = capsys.readouterr().err
    assert "entry 10" in error
    assert "'dragon'" in error
    assert list(tmp_path.glob("*.pdf")) == []


def test_without_reportlab_it_says_what_to_install() -> None:
    hide = "import sys; sys.modules['reportlab'] = None"
    code = f"{hide}\nfrom companion.cli import main\nsys.exit(main(['print', 'lascaux']))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert told.returncode == 2
    how = f"{sys.prefix}/bin/python -m pip install 'companion-table[print]'"
    assert told.stderr == f"companion: reportlab is missing: `{how}`\n"


def test_no_other_verb_loads_reportlab() -> None:
    code = "import sys\nfrom companion.cli import main\nmain(['games'])\nprint('reportlab' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert told.stdout.endswith("False\n")
