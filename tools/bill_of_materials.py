"""The libraries that come with a release: a CycloneDX bill of materials, and whether the GPL allows each licence.

What counts is an environment in which the wheel is installed with every extra: its own record of what was installed.
"""

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, NamedTuple

OURS = "companion-table"
COMPATIBLE = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "MIT"),
    *("LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Python-2.0"),
    *("Unlicense", "Zlib"),
}
"""What may be combined with the GPL, version 3 or later: https://www.gnu.org/licenses/license-list.html"""
CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
}
"""The classifiers of an index, for libraries that name no SPDX expression."""
WORDS = {"Apache 2.0": "Apache-2.0", "BSD": "BSD-3-Clause", "unlicense.org": "Unlicense", "Apache 2": "Apache-2.0"}
"""What some libraries write instead of an identifier."""
UNKNOWN = "unknown"


class Component(NamedTuple):
    name: str
    version: str
    licence: str
    """An SPDX expression."""
    needs: tuple[str, ...] = ()
    """The components that it imports."""

    @property
    def reference(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"

    @property
    def is_compatible(self) -> bool:
        """All parts of "A AND B", or one of "A OR B"."""
        return any(
            all(part.strip(" ()") in COMPATIBLE for part in choice.split(" AND "))
            for choice in self.licence.split(" OR ")
        )


def components(folder: Path) -> list[Component]:
    """All that is installed in this site-packages folder, by name; the first is Companion itself."""
    found = {_name(each.name): each for each in distributions(path=[str(folder)])}
    listed = [
        Component(name, each.version, licence(each), tuple(sorted(set(_needs(each)) & set(found))))
        for name, each in found.items()
    ]
    return sorted(listed, key=lambda each: (each.name != OURS, each.name))


def _name(name: str) -> str:
    """As an index writes it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _needs(installed: Distribution) -> Iterator[str]:
    for requirement in installed.requires or ():
        name = re.match(r"[\w.-]+", requirement)
        if name is not None:
            yield _name(name[0])


def licence(installed: Distribution) -> str:
    """As the library says it: an expression, a classifier, or a few words."""
    said = installed.metadata
    if expression := (said.get_all("License-Expression") or [""])[0]:
        return str(expression)
    for line in said.get_all("Classifier", []):
        kind, _, last = line.rpartition(" :: ")
        if kind.startswith("License") and last in CLASSIFIERS:
            return CLASSIFIERS[last]
    words = str((said.get_all("License") or [UNKNOWN])[0]).strip()
    return WORDS.get(words, words if words in COMPATIBLE else UNKNOWN)


def forbidden(listed: Iterable[Component]) -> list[str]:
    """What may not be combined with Companion's own licence, or does not say what it is."""
    return [f"{each.name} {each.version} ({each.licence})" for each in listed if not each.is_compatible]


def document(listed: list[Component], built_at: int) -> str:
    """CycloneDX 1.6 as JSON: https://cyclonedx.org/docs/1.6/json/. The same components give the same text."""
    ours, *others = listed
    content: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(built_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {**_described(ours), "type": "application"},
        },
        "components": [_described(each) for each in others],
        "dependencies": [_dependencies(each, listed) for each in listed],
    }
    whole = json.dumps(content, sort_keys=True)
    content["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, whole)}"
    return json.dumps(content, indent=2) + "\n"


def _described(component: Component) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": component.reference,
        "name": component.name,
        "version": component.version,
        "purl": component.reference,
        "licenses": [{"expression": component.licence}],
    }


def _dependencies(component: Component, listed: list[Component]) -> dict[str, Any]:
    by_name = {each.name: each.reference for each in listed}
    return {"ref": component.reference, "dependsOn": [by_name[name] for name in component.needs]}
