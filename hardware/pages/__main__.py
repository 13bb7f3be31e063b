"""`python -m hardware.pages`: writes all pages."""

from hardware.pages.every import PAGES


def main() -> None:
    for path, page in PAGES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
