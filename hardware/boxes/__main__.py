"""`python -m hardware.boxes`, or `make boxes`: parts as STL and 3MF, measured, with pictures. Needs OpenSCAD."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import trimesh

from hardware.boxes import parameters
from hardware.boxes.checks import PARTS, PartKind, complaints
from hardware.boxes.scenes import SCENES
from hardware.boxes.solids import load
from hardware.boxes.sources import HERE, MADE, STAMP, parts_made, stamp

RESOURCES = {
    "[Content_Types].xml": (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
    ),
    "_rels/.rels": (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
        'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
    ),
}
"""What every 3MF file has besides its model."""
THE_PAST = (1980, 1, 1, 0, 0, 0)
"""The same mesh gives the same bytes."""


def main() -> int:
    MADE.mkdir(exist_ok=True)
    STAMP.unlink(missing_ok=True)  # it comes back when all is well
    (HERE / "parameters.scad").write_text(parameters.scad(), encoding="utf-8")
    for name, kind in PARTS.items():
        mesh = _rendered(kind)
        (MADE / f"{name}.stl").write_bytes(_stl(mesh))
        _write_3mf(MADE / f"{name}.3mf", mesh)
        print(f"{name}: {len(mesh.faces)} faces, {mesh.volume / 1000:.0f} cm³")
    wrong = complaints(parts_made())
    for told in wrong:
        print(f"wrong: {told}", file=sys.stderr)
    if wrong:
        return 1
    for name, scene in SCENES.items():
        scene().quantize(64).save(MADE / f"{name}.png", optimize=True)
    STAMP.write_text(stamp() + "\n", encoding="utf-8")
    return 0


def _rendered(kind: PartKind) -> trimesh.Trimesh:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.stl"
        told = ["-D", f'part="{kind.part}"'] if kind.part else []
        subprocess.run(["openscad", "-q", "-o", str(path), *told, str(HERE / f"{kind.source}.scad")], check=True)
        return _in_order(load(path))


def _in_order(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """Corners and faces sorted: the same part is the same file, in whichever order OpenSCAD has told it."""
    corners, place = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = [tuple(face) for face in place.reshape(-1)[mesh.faces].tolist()]
    turned = [min(face, face[1:] + face[:1], face[2:] + face[:2]) for face in faces]
    return trimesh.Trimesh(corners, sorted(turned), process=False)


def _stl(mesh: trimesh.Trimesh) -> bytes:
    """The binary kind: a tenth of the text."""
    data = mesh.export(file_type="stl")
    assert isinstance(data, bytes)
    return data


def _write_3mf(path: Path, mesh: trimesh.Trimesh) -> None:
    corners = "".join(f'<vertex x="{x:.7g}" y="{y:.7g}" z="{z:.7g}"/>' for x, y, z in mesh.vertices.tolist())
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces.tolist())
    model = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        '<resources><object id="1" type="model"><mesh>'
        f"<vertices>{corners}</vertices><triangles>{faces}</triangles></mesh></object></resources>"
        '<build><item objectid="1"/></build></model>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in {**RESOURCES, "3D/3dmodel.model": model}.items():
            file.writestr(zipfile.ZipInfo(name, THE_PAST), text, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    sys.exit(main())
