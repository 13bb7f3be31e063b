"""Announcements: is there a voice, does it make sound, and is there a program to play it?"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.devices.finding import Check, Finding
from companion.messages.looks import SPEECH
from companion.voice import AUDIBLE, SpeechProblem, VoiceError, listened_to, make_wav, play_wav, players

SUBJECT = "voice"
LIMIT_S = 30.0
"""What is said is also played."""
WORDS = {"en": "Companion can speak.", "de": "Companion kann sprechen."}
ADVICE: dict[SpeechProblem, str] = {
    "no espeak-ng": "`sudo apt install espeak-ng`; or switch announcements off with key v",
    "espeak-ng fails": "try `espeak-ng hello`; reinstall it if that is silent, too",
    "no player": "`sudo apt install alsa-utils`, for its aplay",
    "no sound": "is a sound card there (`aplay -l`), and may this user use it (group audio)?",
}
TOLD: dict[SpeechProblem, str] = {
    "no espeak-ng": "the program espeak-ng is missing",
    "espeak-ng fails": "espeak-ng produces no sound",
    "no player": "there is no program to play sound",
    "no sound": "the sound player does not work here",
}


def voice_check(speech: str) -> Check:
    """`speech`: how much is said aloud, one of `SPEECH`."""
    return Check(SUBJECT, lambda: _look(speech), LIMIT_S)


def _look(speech: str) -> Iterator[Finding]:
    is_off = speech == SPEECH[0]
    try:
        seconds = _spoken(aloud=not is_off)
    except VoiceError as error:
        if is_off:
            yield Finding.ok(SUBJECT, f"announcements are off; to hear them: {ADVICE[error.problem]}")
        else:
            yield Finding.problem(SUBJECT, TOLD[error.problem], ADVICE[error.problem])
        return
    if is_off:
        yield Finding.ok(SUBJECT, f"espeak-ng speaks, {seconds:.1f} s of sound; announcements are off (key v)")
    else:
        yield Finding.check(SUBJECT, f"espeak-ng spoke, {seconds:.1f} s of sound in both languages", "did you hear it?")


def _spoken(*, aloud: bool) -> float:
    """How long it took to say a word in both languages. Raises VoiceError."""
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="companion-voice-") as folder:
        for language, words in WORDS.items():
            path = Path(folder) / f"{language}.wav"
            make_wav(words, language, path)
            heard = listened_to(path)
            if heard.loudest < AUDIBLE:
                raise VoiceError("espeak-ng fails")
            seconds += heard.seconds
            if aloud:
                play_wav(path)
    if not players():
        raise VoiceError("no player")
    return seconds
