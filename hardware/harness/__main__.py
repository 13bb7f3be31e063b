"""`python -m hardware.harness [FOLDER]`: the drawing and the bill of every cable. Needs WireViz and Graphviz."""

import sys
from pathlib import Path

import yaml
from wireviz.wireviz import parse

from hardware.harness.cables import CABLES

MADE = Path(__file__).parent / "made"


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for name, cable in CABLES.items():
        parse(cable(), output_formats=("svg", "tsv"), output_dir=folder, output_name=name)
        source = yaml.safe_dump(cable(), allow_unicode=True, sort_keys=False)
        (folder / f"{name}.yml").write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else MADE))
