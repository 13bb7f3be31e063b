"""Spoken announcements: espeak-ng makes a WAV file, and another program plays it.

Nothing waits for a voice: announcements go into a short queue, and a thread plays them. espeak-ng's own output stutters
on a Pi, and HDMI swallows the first half second. So a file is made first, and it begins with silence.
"""

import shutil
import subprocess
import tempfile
import threading
import wave
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from companion.errors import CompanionError

SpeechProblem: TypeAlias = Literal["no espeak-ng", "espeak-ng fails", "no player", "no sound"]
"""Why no sound can be played: a screen has a sentence for each, and so has the doctor."""

PROGRAM = "espeak-ng"
PLAYERS = (("pw-play",), ("paplay",), ("aplay", "-q"))
"""Programs that play a file; the first one that is installed is used."""
WORDS_PER_MINUTE = 150
SILENCE_S = 0.5
AUDIBLE = 1000
"""Softer sounds cannot be heard; espeak-ng reaches about twenty times that."""
WAITING = 4
"""How many announcements wait at most; older ones are no longer news."""
MAKING_S, PLAYING_S = 10.0, 60.0
SIGNS = {"×": {"de": " mal ", "en": " times "}, "–": {"de": " minus ", "en": " minus "}, "−": {}}
LEFT_OUT = str.maketrans(dict.fromkeys("►√»⌂○▒·↑→↓←●■▲◆▬•▼∩◊□∞☼↕…“”„“"))
"""What is meant for the eye; `companion/gamekit/sign_table.py` has the meanings."""


class VoiceError(CompanionError):
    """Nothing can be spoken. Its text is a SpeechProblem."""

    def __init__(self, problem: SpeechProblem) -> None:
        super().__init__(problem)
        self.problem: SpeechProblem = problem


# --- A file ---------------------------------------------------------------------------------------------------


def speakable(text: str, language: str) -> str:
    """Without characters that are only meant for the eye."""
    for sign, words in SIGNS.items():
        text = text.replace(sign, words.get(language, "minus "))
    return " ".join(text.translate(LEFT_OUT).split())


def make_wav(text: str, language: str, path: Path) -> None:
    """The announcement as a file. Raises VoiceError."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise VoiceError("no espeak-ng")
    command = [*_politely(), program, "-v", language, "-s", str(WORDS_PER_MINUTE), "-w", str(path), "--stdin"]
    try:
        subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=MAKING_S)
        _begin_with_silence(path)
    except (OSError, subprocess.SubprocessError, wave.Error, EOFError):
        raise VoiceError("espeak-ng fails") from None


def _politely() -> list[str]:
    """At low priority: the referee and the screen come first."""
    return ["nice", "-n", "10"] if shutil.which("nice") else []


def _begin_with_silence(path: Path) -> None:
    with wave.open(str(path), "rb") as made:
        form, sound = made.getparams(), made.readframes(made.getnframes())
    with wave.open(str(path), "wb") as told:
        told.setnchannels(form.nchannels)
        told.setsampwidth(form.sampwidth)
        told.setframerate(form.framerate)
        told.writeframes(bytes(int(SILENCE_S * form.framerate) * form.nchannels * form.sampwidth) + sound)


class Heard(NamedTuple):
    """What is in a file: its length without the silence at the start, and its peak (32767 at most)."""

    seconds: float
    loudest: int


def listened_to(path: Path) -> Heard:
    """Raises VoiceError if it is not a sound file."""
    try:
        with wave.open(str(path), "rb") as told:
            frames, rate, width = told.getnframes(), told.getframerate(), told.getsampwidth()
            samples = array("h", told.readframes(frames)) if width == array("h").itemsize else array("h")
    except (OSError, wave.Error, EOFError):
        raise VoiceError("espeak-ng fails") from None
    return Heard(max(0.0, frames / rate - SILENCE_S), max((abs(sample) for sample in samples), default=0))


def players() -> list[tuple[str, ...]]:
    """The programs here that play a file, as command lines without its name."""
    return [(found, *how) for name, *how in PLAYERS if (found := shutil.which(name))]


def play_wav(path: Path) -> None:
    """Raises VoiceError if nothing here can play it."""
    there = players()
    for command in there:
        try:
            subprocess.run([*command, str(path)], capture_output=True, check=True, timeout=PLAYING_S)
        except (OSError, subprocess.SubprocessError):
            continue
        return
    raise VoiceError("no sound" if there else "no player")


# --- One after the other --------------------------------------------------------------------------------------


class Voice:
    """Speaks announcements in a thread that nothing waits for. A problem is reported once."""

    def __init__(self, problem: Callable[[SpeechProblem], object], play: Callable[[Path], object] = play_wav) -> None:
        self._tell, self._play = problem, play
        self._waiting: deque[tuple[str, str]] = deque(maxlen=WAITING)
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._quiet = threading.Event()
        self._quiet.set()
        self._problem: SpeechProblem | None = None
        self._thread: threading.Thread | None = None

    def say(self, texts: Sequence[str], language: str) -> None:
        """Speak at once, or after the current announcement. Never waits."""
        spoken = [(words, language) for text in texts if (words := speakable(text, language))]
        if not spoken:
            return
        with self._lock:
            self._waiting.extend(spoken)
            self._quiet.clear()
            self._news.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
            self._thread.start()

    def hush(self) -> None:
        """Announcements that are still queued are dropped."""
        with self._lock:
            self._waiting.clear()

    def wait_until_quiet(self, seconds: float) -> bool:
        """Wait until the queue is empty, for tests. Returns whether it is."""
        return self._quiet.wait(seconds)

    def _work(self) -> None:
        with tempfile.TemporaryDirectory(prefix="companion-voice-") as folder:
            path = Path(folder) / "said.wav"
            while self._news.wait():
                self._news.clear()
                while said := self._next():
                    self._speak(*said, path)

    def _next(self) -> tuple[str, str] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._quiet.set()
            return None

    def _speak(self, text: str, language: str, path: Path) -> None:
        try:
            make_wav(text, language, path)
            self._play(path)
        except VoiceError as error:
            if error.problem != self._problem:
                self._problem = error.problem
                self._tell(error.problem)
