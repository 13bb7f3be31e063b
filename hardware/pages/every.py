"""All pages, by where they lie."""

from hardware.pages import full_kit, kit_one, laptop, ordering
from hardware.pages.sources import HARDWARE

BUILD = HARDWARE / "build"
PAGES = {
    BUILD / "laptop.md": laptop.page,
    BUILD / "kit-one.md": kit_one.page,
    BUILD / "full-kit.md": full_kit.page,
    HARDWARE / "boards" / "README.md": ordering.page,
}
