"""The Textual app. It draws the referee's snapshots and posts what the players want; it decides nothing."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.widgets import Static

from companion.crash import STATUS
from companion.gamekit.screen.controls import show_keys
from companion.gamekit.screen.themes import CONTRAST, DARK, THEMES, next_theme
from companion.language.screen_language import LANGUAGES, _, language, other_language, preferred, speak, speaking
from companion.language.wording import plain
from companion.messages.looks import MOTION, SPEECH, TIMES
from companion.screen.contrast import readable_after
from companion.screen.textual_fixes import forget_removed_widgets, keep_fewer_styles

if TYPE_CHECKING:
    from companion.gamekit.screen.controls import Words
    from companion.messages.lobby import Feat, GameAnalyses, Lobby
    from companion.messages.looks import LooksMemory, Preference
    from companion.messages.phone_access import PhoneAccess
    from companion.screen.conversation import Conversation, WayOut
    from companion.screen.evening_flow import EveningFlow
    from companion.screen.widgets.notice import Notice
    from companion.voice import SpeechProblem, Voice

AA, AAA = 4.5, 7.0
"""WCAG's levels of contrast: for all themes, and for the high-contrast theme."""
LOOK_S = 2.0
"""How often to check that the referee is still there or can be restarted."""
START_DEPTH = 2
"""How many screens are on the stack at the start screen."""


class CompanionApp(App[None]):
    """Shows one table. With a `lobby` and no socket, it starts with the start screen.

    `watch` shows everything and posts nothing. `exit_with_referee` ends the screen when the referee ends. A `kiosk` has
    no keyboard and cannot be quit. `memory` keeps the chosen language and theme. `results` is the folder for saved
    results, beside their evening; None: the current folder. `speech` is how much is spoken aloud, `times` whether
    thinking times are shown, `motion` whether bars grow, `speech_language` the language that is spoken; "": the
    screen's. `feat` tells what is special about the end of a game, by its evening and its number, and `preferences`
    what players want at every table, by the evening and their names; both may take a moment. `analyses` analyses
    finished games.
    """

    CSS = "#waiting { width: 100%; height: 100%; content-align: center middle; text-style: bold; }"
    BINDINGS = [("l", "language", ""), ("t", "theme", "")]
    TITLE = "Companion"
    ENABLE_COMMAND_PALETTE = False

    def __init__(  # noqa: PLR0913 - what a screen may be, each by its name
        self,
        socket_path: Path | None,
        *,
        lobby: "Lobby | None" = None,
        exit_with_referee: bool = False,
        watch: bool = False,
        language: str = "en",
        theme: str = DARK.name,
        kiosk: bool = False,
        memory: "LooksMemory | None" = None,
        phones: "PhoneAccess | None" = None,
        results: Path | None = None,
        speech: str = SPEECH[0],
        times: str = TIMES[0],
        motion: str = MOTION[0],
        speech_language: str = "",
        feat: "Callable[[str, int], Feat | None] | None" = None,
        preferences: "Callable[[str, Sequence[str]], Sequence[Preference]] | None" = None,
        analyses: "GameAnalyses | None" = None,
    ) -> None:
        super().__init__()
        forget_removed_widgets()
        keep_fewer_styles()
        speak(language)
        show_keys(not kiosk)
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme
        self._socket_path, self._exit_with_referee, self._watch = socket_path, exit_with_referee, watch
        self._lobby, self._kiosk, self._memory, self._phones = lobby, kiosk, memory, phones
        self._results = results
        self._speech, self.times, self.motion = speech, times, motion
        self._wanted_speech: str | None = ""
        """How much a player at this table wants to hear; "": no more than was chosen. None: what was chosen since
        counts, whatever they want."""
        self._lent_from = ""
        """The table's language while one player has the screen in theirs; "": no player has."""
        self.speech_language, self.feat, self.preferences = speech_language, feat, preferences
        self._analyses = analyses
        self._voice: Voice | None = None
        self._flow: EveningFlow | None = None
        self._failure: BaseException | None = None
        self.flags: dict[str, str] = {}
        """What was said on the command line: it is remembered, as if it had been chosen on the screen."""
        self.conversation: Conversation | None = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Everything drawn is readable, in every theme."""
        least = AAA if self.theme == CONTRAST.name else AA
        return [readable_after(tuple(super().get_line_filters()), least)]

    def compose(self) -> ComposeResult:
        yield Static(_("Waiting for the referee …"), markup=False, id="waiting")

    def action_language(self) -> None:
        """Draw everything again in the next language; nothing else changes."""
        speak(other_language())
        self._redraw()
        if not self._lent_from:
            self._keep(language=language().code)

    def lend_to(self, code: str) -> None:
        """One player has the screen: everything is in their language until `take_back`. "": they want none."""
        if code and not self._lent_from:
            self._lent_from = language().code
            speak(code)
            self._redraw()

    def take_back(self) -> None:
        if self._lent_from:
            speak(self._lent_from)
            self._lent_from = ""
            self._redraw()

    def action_help_quit(self) -> None:
        """Ctrl-C does what `q` does."""
        self.simulate_key("q")

    def action_theme(self) -> None:
        self.theme = next_theme(self.theme)
        self._redraw()
        self._keep(theme=self.theme)

    def choose_times(self) -> None:
        self.times = _next_of(TIMES, self.times)
        self._keep(times=self.times)

    def choose_motion(self) -> None:
        self.motion = _next_of(MOTION, self.motion)
        self._keep(motion=self.motion)

    @property
    def speech(self) -> str:
        """How much is spoken: what was chosen, or what a player at this table wants if that is more."""
        return self._wanted_speech or self._speech

    def speak_at_least(self, wanted: str) -> bool:
        """For a player of this table, until another choice is made or the table is left. False: it speaks so much
        already."""
        if self._wanted_speech is None or SPEECH.index(wanted or SPEECH[0]) <= SPEECH.index(self.speech):
            return False
        self._wanted_speech = wanted
        return True

    def choose_speech(self) -> None:
        self._speech, self._wanted_speech = _next_of(SPEECH, self.speech), None
        if self._voice is not None:
            self._voice.hush()
        self._keep(speech=self.speech)

    def choose_speech_language(self) -> None:
        """The screen's language, then each language for good."""
        self.speech_language = _next_of(("", *LANGUAGES), self.speech_language)
        self._keep(speech_language=self.speech_language)

    def say(self, words: Callable[[], Sequence[str]], to: str = "") -> None:
        """Speak, if the players want that: in the language `to` of the player whom it is for, else in the one that all
        hear. Nothing waits for it."""
        if self.speech == SPEECH[0]:
            return
        with speaking(to or self.speech_language or self._lent_from or language().code) as code:
            texts = words()
        if texts:
            from companion.voice import Voice  # noqa: PLC0415

            self._voice = self._voice or Voice(self._cannot_speak)
            self._voice.say(texts, code)

    def _cannot_speak(self, problem: "SpeechProblem") -> None:
        """Called by the voice's own thread, once."""
        from companion.screen.announcements import why_silent  # noqa: PLC0415

        if self.is_running:
            self.call_from_thread(self._note, lambda: why_silent(problem))

    def _keep(self, **chosen: str) -> None:
        """Save a choice for the next start. If that fails, it still counts now."""
        try:
            if self._memory is not None:
                self._memory.keep(**chosen)
        except OSError as error:
            problem = error.strerror or ""
            self._note(lambda: _("This choice could not be saved: {problem}", problem=problem))

    def _note(self, words: "Words") -> None:
        """Show a notice on the topmost screen that has room for one."""
        for screen in reversed(self.screen_stack):
            for notice in screen.query("#notice"):
                cast("Notice", notice).complain(words, quiet=True)
                return

    def _redraw(self) -> None:
        first, *others = self.screen_stack
        first.query_one("#waiting", Static).update(_("Waiting for the referee …"))
        for screen in others:
            cast("Any", screen).redraw()  # all of ours can

    # --- Errors of ours ---

    def show(self) -> None:
        """Run until a player quits. After an error, restore the terminal and raise it."""
        self.run()
        if self._failure is not None:
            raise self._failure

    def _handle_exception(self, error: Exception) -> None:
        """Textual's own handler would print local variables, perhaps a secret choice, where all players can read
        them."""
        self._fail(error)

    def _fatal_error(self) -> None:
        self._fail(sys.exception())

    def panic(self, *_renderables: Any) -> None:
        self._fail(sys.exception())

    def _fail(self, error: BaseException | None) -> None:
        self._failure = self._failure or error or RuntimeError("the screen cannot go on")
        self._return_code = STATUS
        if self._exception is None and isinstance(self._failure, Exception):
            self._exception = self._failure  # a pilot raises it
            self._exception_event.set()
        self._close_messages_no_wait()

    # --- To the table and back ---

    def on_ready(self) -> None:
        self.call_after_refresh(self._begin)

    async def _begin(self) -> None:
        """Everything else is imported after the first frame, which must not wait."""
        if self._socket_path is not None:
            await self._show_table(self._socket_path)
        elif self._lobby is not None:
            from companion.screen.evening_flow import EveningFlow  # noqa: PLC0415
            from companion.screen.screens.start_screen import StartScreen  # noqa: PLC0415

            self._flow = EveningFlow(self._lobby, self._show_table, self._press)
            await self.push_screen(StartScreen(self._flow, kiosk=self._kiosk))
            self._flow.listen()
        problem = self._memory.problem if self._memory else ""
        if problem:
            self._note(lambda: _("Your last choices could not be read: {problem}", problem=plain(problem, 200)))
        elif self.flags:
            self._keep(**self.flags)

    def _press(self, colour: str, held: bool) -> None:
        """The table's two buttons: green goes to the next choice, green held takes it, red goes back."""
        if colour == "red":
            self.simulate_key("escape")
        elif held:
            self.simulate_key("enter")
        else:
            self.action_focus_next()

    async def _show_table(self, socket_path: Path, is_replay: bool = False) -> None:
        from companion.screen.conversation import Conversation  # noqa: PLC0415

        watch = self._watch or is_replay
        talk = Conversation(
            self, socket_path, exit_with_referee=self._exit_with_referee, watch=watch, way_out=self._way_out()
        )
        talk.phones = None if watch else self._phones
        talk.results, talk.analyses = self._results, self._analyses
        await self.push_screen(talk.screen)
        self.conversation = talk
        talk.screen.show_link(False)
        self._line = self.run_worker(talk.link.run(), group="line", exclusive=True)
        if self._flow is not None:
            self._looking = self.set_interval(LOOK_S, self._look_after)

    def _way_out(self) -> "WayOut | None":
        from companion.screen.conversation import WayOut  # noqa: PLC0415

        if self._flow is not None:
            return WayOut(lambda: _("Leave"), self.get_up)
        return None if self._kiosk else WayOut(lambda: _("Quit"), self.exit)

    def get_up(self) -> None:
        """Leave the table for the start screen. The game can be resumed."""
        if self.conversation is not None and self._flow is not None:
            self.conversation.left, self.conversation = True, None
            self._wanted_speech = ""
            self.take_back()
            self._line.cancel()
            self._looking.stop()
            self.run_worker(self._back(self._flow), group="back")

    async def _back(self, flow: "EveningFlow") -> None:
        await flow.leave()
        while len(self.screen_stack) > START_DEPTH:
            await self.pop_screen()

    def _look_after(self) -> None:
        """Without a referee there is no table: go back, and show its problem on the start screen."""
        if self._flow is not None and self._flow.lost:
            self._flow.problem = self._flow.lost
            self.get_up()


def run(
    socket_path: Path | None = None,
    *,
    language: str | None = None,
    theme: str | None = None,
    memory: "LooksMemory | None" = None,
    **how: Any,
) -> None:
    """Run the app until the player quits. Language and theme are those given here, else those chosen last time, else
    the system's language and dark.

    For the other arguments, see `CompanionApp`.
    """
    chosen = memory.recall() if memory else None
    app = CompanionApp(
        socket_path,
        language=language or (chosen and chosen.language) or preferred(os.environ),
        theme=theme or (chosen and chosen.theme) or DARK.name,
        speech=(chosen and chosen.speech) or SPEECH[0],
        times=(chosen and chosen.times) or TIMES[0],
        motion=(chosen and chosen.motion) or MOTION[0],
        speech_language=(chosen and chosen.speech_language) or "",
        memory=memory,
        **how,
    )
    app.flags = {name: said for name, said in (("language", language), ("theme", theme)) if said}
    app.show()


def _next_of(values: Sequence[str], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
