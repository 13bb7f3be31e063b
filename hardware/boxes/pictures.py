"""Pictures of solids, without a graphics card: every triangle into a depth buffer, flatly shaded."""

from typing import NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]
LIGHT = np.array([-0.35, -0.5, 0.79])
FINE = 2
"""So many times larger it is drawn, then made smaller: soft edges."""


class Body(NamedTuple):
    """Something to be seen, in millimetres: x to the right, y down, z up."""

    mesh: trimesh.Trimesh
    hue: str


class View(NamedTuple):
    """From where it is seen: turned about the upright axis, then tipped towards the eye."""

    turn: float = -28
    tip: float = 52


def picture(bodies: list[Body], width: int = 900, view: View | None = None, margin: int = 24) -> Image.Image:
    """As large as it has to be for this width."""
    seen = view or View()
    turned = [(_turned(np.asarray(body.mesh.triangles), seen), body) for body in bodies]
    corners = np.vstack([triangles.reshape(-1, 3) for triangles, _ in turned])
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = FINE * (width - 2 * margin) / (high[0] - low[0])
    height = int((high[1] - low[1]) * scale / FINE) + 2 * margin
    pixels = np.full((height * FINE, width * FINE, 3), 255, dtype=np.uint8)
    depth = np.full((height * FINE, width * FINE), -np.inf)
    for triangles, body in turned:
        on_page = triangles.copy()
        on_page[:, :, :2] = (triangles[:, :, :2] - low[:2]) * scale + margin * FINE
        _paint(on_page, _shades(triangles, body.hue), pixels, depth)
    _outline(pixels, depth)
    return Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS)


def _turned(triangles: Floats, view: View) -> Floats:
    """To the page: x to the right, y down, z towards the eye."""
    a, b = np.radians(view.turn), np.radians(view.tip)
    about = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    over = np.array([[1, 0, 0], [0, np.sin(b), -np.cos(b)], [0, np.cos(b), np.sin(b)]])
    turned: Floats = triangles @ (over @ about).T
    return turned


def _shades(triangles: Floats, hue: str) -> NDArray[np.uint8]:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    light = 0.5 + 0.5 * np.abs(normals @ (LIGHT / np.linalg.norm(LIGHT)))
    colour = np.array([int(hue[place : place + 2], 16) for place in (1, 3, 5)])
    shades: NDArray[np.uint8] = (light[:, None] * colour).clip(0, 255).astype(np.uint8)
    return shades


def _paint(triangles: Floats, shades: NDArray[np.uint8], pixels: NDArray[np.uint8], depth: Floats) -> None:
    rows, columns = depth.shape
    for (a, b, c), shade in zip(triangles, shades, strict=True):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if abs(area) < 1e-9:
            continue
        left, right = max(int(min(a[0], b[0], c[0])), 0), min(int(max(a[0], b[0], c[0])) + 2, columns)
        top, bottom = max(int(min(a[1], b[1], c[1])), 0), min(int(max(a[1], b[1], c[1])) + 2, rows)
        y, x = np.mgrid[top:bottom, left:right]
        u = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
        z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
        seen = (u >= 0) & (v >= 0) & (u + v <= 1) & (z > depth[top:bottom, left:right])
        depth[top:bottom, left:right][seen] = z[seen]
        pixels[top:bottom, left:right][seen] = shade


def _outline(pixels: NDArray[np.uint8], depth: Floats) -> None:
    """A dark line where something ends before something else."""
    flat = np.where(np.isfinite(depth), depth, -1e3)
    step = np.zeros(flat.shape, dtype=bool)
    step[1:] |= np.abs(flat[1:] - flat[:-1]) > 1.2
    step[:, 1:] |= np.abs(flat[:, 1:] - flat[:, :-1]) > 1.2
    pixels[step] = (pixels[step] * 0.45).astype(np.uint8)
