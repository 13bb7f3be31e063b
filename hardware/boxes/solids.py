"""Rays through a printed part: where there is plastic, and how thick it is. `trimesh` reads the meshes."""

from collections import Counter
from pathlib import Path
from typing import TypeAlias

import numpy as np
import trimesh
from numpy.typing import NDArray
from trimesh.sample import sample_surface

Floats: TypeAlias = NDArray[np.float64]
NEAR = 1e-6
TILT = np.array([1.7e-5, 2.3e-5, 3.1e-5])
"""Rays lean by a hair, so that none runs along an edge or through a corner."""


class Solid:
    """A part in the coordinates of hardware/dimensions.py: as it sits in the box, not as it lies on the bed."""

    def __init__(self, mesh: trimesh.Trimesh) -> None:
        self.mesh = mesh
        a, b, c = np.asarray(mesh.triangles, dtype=np.float64).transpose(1, 0, 2)
        self._corner, self._first, self._second = a, b - a, c - a
        self._normal = np.cross(self._first, self._second)

    @property
    def low(self) -> Floats:
        return np.asarray(self.mesh.bounds[0])

    @property
    def high(self) -> Floats:
        return np.asarray(self.mesh.bounds[1])

    def hits(self, origins: Floats, directions: Floats) -> list[Floats]:
        """For each ray, how far away it goes through a face, in order. (Möller and Trumbore's test, all at once.)"""
        found = []
        for origin, direction in zip(origins, directions, strict=True):
            x, y, z = direction
            determinant = -(self._normal @ direction)
            level = np.abs(determinant) < 1e-12
            inverse = 1.0 / np.where(level, 1.0, determinant)
            towards = origin - self._corner
            turned = towards @ np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])  # their cross product with the direction
            u = np.einsum("ij,ij->i", self._second, turned) * inverse
            v = -np.einsum("ij,ij->i", self._first, turned) * inverse
            far = np.einsum("ij,ij->i", towards, self._normal) * inverse
            through = ~level & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > NEAR)
            found.append(np.sort(far[through]))
        return found

    def crossed(self, origin: tuple[float, float, float], direction: tuple[float, float, float]) -> Floats:
        return self.hits(np.array([origin]), np.array([direction]) + TILT)[0]

    def has(self, x: float, y: float, z: float) -> bool:
        """Whether there is plastic at a point: from inside, a ray leaves through an odd number of faces."""
        return len(self.crossed((x, y, z), (0.31, 0.27, 0.91))) % 2 == 1

    def thinnest(self, samples: int = 700) -> tuple[float, Floats]:
        """How thick the part is where it is thinnest, and where: measured inwards from points all over its skin, and
        from the middles of its largest faces."""
        points, faces = sample_surface(self.mesh, samples, seed=1)
        largest = np.argsort(self.mesh.area_faces)[-samples:]
        points = np.vstack([points, self.mesh.triangles_center[largest]])
        faces = np.concatenate([faces, largest])
        inwards = -self.mesh.face_normals[faces]
        thick = [hit[0] if len(hit) else np.inf for hit in self.hits(points + inwards * 1e-4, inwards)]
        thinnest = int(np.argmin(thick))
        return float(thick[thinnest]), points[thinnest]

    def bodies(self) -> int:
        """How many pieces there are that nothing holds together."""
        group = {face: face for face in range(len(self.mesh.faces))}
        for one, other in self.mesh.face_adjacency:
            group[_root(group, int(one))] = _root(group, int(other))
        return len({_root(group, face) for face in group})

    def overhangs(self, printed_up: float) -> list[float]:
        """How wide a bridge each patch is that hangs over nothing when the part is printed. `printed_up`: 1 if up is up
        on the bed, -1 if the part lies on its face. Slopes of 45° print well, and so does what lies on the bed."""
        bed = self.low[2] if printed_up > 0 else self.high[2]
        off_the_bed = np.abs(self.mesh.triangles_center[:, 2] - bed) > 0.01
        hanging = np.flatnonzero((self.mesh.face_normals[:, 2] * printed_up < -0.72) & off_the_bed)
        group = {int(face): int(face) for face in hanging}
        for one, other in self.mesh.face_adjacency:
            if int(one) in group and int(other) in group:
                group[_root(group, int(one))] = _root(group, int(other))
        patches: dict[int, list[int]] = {}
        for face in group:
            patches.setdefault(_root(group, face), []).append(face)
        return [self._width(patch) for patch in patches.values()]

    def _width(self, patch: list[int]) -> float:
        """Twice its area through its outline: a groove is as wide as it is, however long."""
        edges = Counter(
            (min(one, other), max(one, other))
            for a, b, c in self.mesh.faces[patch].tolist()
            for one, other in ((a, b), (b, c), (c, a))
        )
        outline = [edge for edge, count in edges.items() if count == 1]
        ends = self.mesh.vertices[np.array(outline)]
        length = float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum())
        return 2 * float(self.mesh.area_faces[patch].sum()) / length


def _root(group: dict[int, int], face: int) -> int:
    while group[face] != face:
        group[face] = group[group[face]]
        face = group[face]
    return face


def in_place(mesh: trimesh.Trimesh, *, lid_top: float | None = None, bottom: float = 0.0) -> Solid:
    """Turned back from the bed to where it sits: a base stood on its floor, a lid lay on its face."""
    mesh = mesh.copy()
    matrix = np.eye(4)
    if lid_top is None:
        matrix[1, 1], matrix[2, 3] = -1, bottom
    else:
        matrix[2, 2], matrix[2, 3] = -1, lid_top
    mesh.apply_transform(matrix)
    return Solid(mesh)


def load(path: Path) -> trimesh.Trimesh:
    mesh = trimesh.load(path, file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh
