"""The same source gives the same bytes: KiCad's files without the day and the second in which they were made."""

import re
import zipfile
from pathlib import Path

_LINES = (
    re.compile(rb"^%TF\.CreationDate,[^*\n]*\*%\n", re.MULTILINE),  # Gerber
    re.compile(rb"^; #@! TF\.CreationDate,.*\n", re.MULTILINE),  # drill
)
_WORDS = (
    re.compile(rb"(?<=\)) date \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?=\*)"),  # Gerber, a comment
    re.compile(rb"(?<=\}) date \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$", re.MULTILINE),  # drill, a comment
    re.compile(rb',\s*"CreationDate": "[^"]*"'),  # job file
)
_PDF = re.compile(rb"(?<=/CreationDate \(D:)\d{14}(?=\))")
_NO_DAY = b"19800101000000"
"""In a PDF every byte has its place: the day becomes another one. It is the first that a zip file knows, too."""


def timeless(content: bytes) -> bytes:
    for each in (*_LINES, *_WORDS):
        content = each.sub(b"", content)
    return _PDF.sub(_NO_DAY, content)


def pack(folder: Path, target: Path) -> None:
    """All files of a folder, in the order of their names."""
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(path.name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, timeless(path.read_bytes()))
