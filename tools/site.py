"""`make site`: the docs as a site that can be read without a network, in build/site/html.

Pages live beside what they describe (docs/, hardware/, firmware/, examples/). They are laid out in one folder under the
same names, so links between them stay as they are. What they link to is copied; a link to source or to a folder becomes
its name, because a site has neither. A link that leads nowhere is an error. The reference of the game kit is made
from its docstrings.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "site" / "pages"
NOT_PAGES = ("tests", ".github", ".venv", "build")
"""Folders of the checkout without a page for readers."""
SOURCE = (".py", ".c", ".h", ".scad", ".toml", ".txt", ".yml", "")
"""Files of these kinds are read in the repository."""
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^( *)(```|~~~)")

REFERENCE = """# The game kit

What a game imports, made from the docstrings. [Add a game](docs/add-a-game.md) builds one step by step.

::: companion.gamekit
    options:
      members: true
      show_root_heading: false
      show_root_toc_entry: false

## Looks: `companion.gamekit.screen`

::: companion.gamekit.screen.face.Face
    options:
      heading_level: 3

## Figures: `companion.gamekit.figure`

::: companion.gamekit.figure
    options:
      heading_level: 3
      members: [Figures, Figure, figures_in, SIGNS, FigureError]
      show_root_heading: false
      show_root_toc_entry: false

## Tests: `companion.gamekit.contract`

::: companion.gamekit.contract.GameContract
    options:
      heading_level: 3
      inherited_members: true
"""


def pages(root: Path = ROOT) -> list[Path]:
    """Every page of the repository. A news fragment is a line of the next changelog, not a page."""
    found = sorted(set(root.rglob("*.md")) - set(root.glob("news/*.*.md")))
    return [page for page in found if page.relative_to(root).parts[0] not in NOT_PAGES]


def lay_out(root: Path, into: Path) -> list[str]:
    """All pages and what they link to, under the same names. Links that lead nowhere, one line each."""
    broken: list[str] = []
    for page in pages(root):
        place = into / page.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        text, missing = _linked(page, root, into)
        place.write_text(text, encoding="utf-8")
        broken += missing
    return broken


def _linked(page: Path, root: Path, into: Path) -> tuple[str, list[str]]:
    broken: list[str] = []

    def kept(found: re.Match[str]) -> str:
        target = found["target"]
        path, _, _ = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return found[0]
        file = (page.parent / path).resolve()
        if not file.exists() or not file.is_relative_to(root.resolve()):
            broken.append(f"{page.relative_to(root)}: {target} leads nowhere")
            return found[0]
        if file.is_dir() and (file / "README.md").exists():
            return f"{found['image']}[{found['text']}]({path.rstrip('/')}/README.md)"
        if file.suffix == ".md":
            return found[0]
        if file.is_dir() or file.suffix in SOURCE:
            name = str(file.relative_to(root.resolve()))
            return found["text"] if name in found["text"] else f"{found['text']} (`{name}`)"
        copied = into / file.relative_to(root.resolve())
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copied)
        return found[0]

    lines = [LINK.sub(kept, line) if is_prose else line for line, is_prose in _lines(page.read_text(encoding="utf-8"))]
    return "\n".join(lines) + "\n", broken


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is prose: what stands in a fence is not looked into."""
    fence = ""
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark and fence in ("", mark[2]):
            fence = "" if fence else mark[2]
            yield line, False
        else:
            yield line, not fence


def main(words: Sequence[str] = ()) -> int:
    """`words`: further words for mkdocs, such as --site-dir. 1 if a link leads nowhere, or as mkdocs says."""
    shutil.rmtree(PAGES, ignore_errors=True)
    broken = lay_out(ROOT, PAGES)
    (PAGES / "gamekit.md").write_text(REFERENCE, encoding="utf-8")
    for line in broken:
        print(line, file=sys.stderr)
    if broken:
        return 1
    command = [sys.executable, "-m", "mkdocs", "build", *words]  # with --quiet no warning would count
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # an advertisement, not a warning about these pages
    return subprocess.run(command, cwd=ROOT, env=quiet, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
