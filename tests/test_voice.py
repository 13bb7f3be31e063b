"""Announcements, tested by listening: the real espeak-ng makes the files, and they have sound in them."""

import shutil
import time
import wave
from array import array
from pathlib import Path

import pytest

from companion.voice import (
    AUDIBLE,
    SILENCE_S,
    WAITING,
    SpeechProblem,
    Voice,
    VoiceError,
    listened_to,
    make_wav,
    speakable,
)
from companion.voice import play_wav as really_play
from tests.voice import Ears, need_espeak

LONG_S = 60.0
"""A loaded machine may take that long to say a few words."""
SENTENCES = {
    "en": ("Anna: lay a stone or pass", "Ben reveals white and takes mammoth brown/white and deer white/blue"),
    "de": (
        "Anna: einen Stein legen oder passen",
        "Ben deckt weiß auf und nimmt Mammut braun/weiß und Hirsch",
    ),
}


@pytest.mark.parametrize("language", SENTENCES)
def test_the_file_has_sound_in_it_and_lasts_as_long_as_somebody_would_speak(tmp_path: Path, language: str) -> None:
    need_espeak()
    lengths = []
    for number, text in enumerate(SENTENCES[language]):
        path = tmp_path / f"{number}.wav"
        make_wav(text, language, path)
        seconds, loudest = listened_to(path)
        assert loudest > 5 * AUDIBLE
        assert 0.04 * len(text) < seconds < 0.2 * len(text), "5 to 25 letters a second"
        lengths.append(seconds)
    assert lengths[0] < lengths[1]


def test_two_languages_do_not_sound_alike(tmp_path: Path) -> None:
    need_espeak()
    for language in SENTENCES:
        make_wav("Stein", language, tmp_path / f"{language}.wav")
    assert (tmp_path / "en.wav").read_bytes() != (tmp_path / "de.wav").read_bytes()


def test_it_begins_with_silence_for_a_screen_that_swallows_the_first_half_second(tmp_path: Path) -> None:
    need_espeak()
    make_wav("Now", "en", tmp_path / "now.wav")
    with wave.open(str(tmp_path / "now.wav")) as told:
        first = array("h", told.readframes(int(SILENCE_S * told.getframerate())))
    assert set(first) == {0}


@pytest.mark.parametrize("text", ["-v de", "--help", "<speak>x</speak>", "$(touch /tmp/x)", "\x00\x1b[31m", "🦣" * 50])
def test_whatever_somebody_is_called_is_only_spoken(tmp_path: Path, text: str) -> None:
    need_espeak()
    make_wav(speakable(text, "en"), "en", tmp_path / "name.wav")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["name.wav"]


def test_signs_are_put_into_words_or_left_out() -> None:
    assert speakable("◆ Anna: 2 × 5 = 10 Darwin …", "en") == "Anna: 2 times 5 = 10 Darwin"
    assert speakable("Endstück −1", "de") == "Endstück minus 1"
    assert speakable("► ● √ » ⌂ →", "de") == ""


def test_all_is_said_in_its_order_and_the_caller_does_not_wait(tmp_path: Path) -> None:
    need_espeak()
    ears = Ears(tmp_path)
    ears.may_play.clear()
    told: list[SpeechProblem] = []
    voice = Voice(told.append, ears.play)
    began = time.monotonic()
    voice.say(["One stone", "A much longer sentence about many stones"], "en")
    assert time.monotonic() - began < 1.0
    assert ears.heard == []
    ears.may_play.set()
    assert voice.wait_until_quiet(LONG_S)
    short, long = ears.heard
    assert short.seconds < long.seconds
    assert told == []


def test_what_is_no_news_any_more_is_left_unsaid(tmp_path: Path) -> None:
    need_espeak()
    ears = Ears(tmp_path)
    ears.may_play.clear()
    told: list[SpeechProblem] = []
    voice = Voice(told.append, ears.play)
    for number in range(50):
        voice.say([f"Number {number}"], "en")
    ears.may_play.set()
    assert voice.wait_until_quiet(LONG_S)
    assert len(ears.heard) <= WAITING + 1
    ears.may_play.clear()
    voice.say(["This", "is", "not", "said"], "en")
    voice.hush()
    ears.may_play.set()
    assert voice.wait_until_quiet(LONG_S)
    assert len(ears.heard) <= WAITING + 2
    assert told == []


def test_a_missing_program_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told: list[SpeechProblem] = []
    voice = Voice(told.append, Ears(tmp_path).play)
    for _again in range(3):
        voice.say(["Hello"], "en")
        assert voice.wait_until_quiet(LONG_S)
    assert told == ["no espeak-ng"]


def test_a_missing_player_and_a_missing_sound_card_are_two_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(b"")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError, match="no player"):
        really_play(path)
    player = tmp_path / "aplay"
    player.write_text("#!/bin/sh\nexit 1\n")
    player.chmod(0o755)
    with pytest.raises(VoiceError, match="no sound"):
        really_play(path)
    player.write_text(f"#!/bin/sh\n{shutil.which('true', path='/bin:/usr/bin')}\n")
    really_play(path)


def test_a_program_that_makes_rubbish_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "espeak-ng"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(shutil, "which", lambda name: str(program) if name == "espeak-ng" else None)
    with pytest.raises(VoiceError, match="espeak-ng fails"):
        make_wav("Hello", "en", tmp_path / "nothing.wav")
