"""A page in one language can be made while a screen is drawn in another."""

import threading

import pytest

from companion.language.screen_language import speak, speaking, spoken


@pytest.fixture(autouse=True)
def english() -> None:
    speak("en")


def test_what_one_thread_says_in_another_language_changes_no_other_thread() -> None:
    begun, looked = threading.Event(), threading.Event()

    def page() -> None:
        with speaking("de"):
            begun.set()
            looked.wait(10)

    thread = threading.Thread(target=page)
    thread.start()
    begun.wait(10)
    assert spoken() == "en"
    looked.set()
    thread.join()
    with speaking("de"):
        assert spoken() == "de"
        with speaking("en"):
            assert spoken() == "en"
        assert spoken() == "de"
    assert spoken() == "en"
