"""The headline: who must do what, in the biggest letters that fit."""

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit.screen.controls import Panel
from companion.gamekit.screen.face import Headline
from companion.gamekit.screen.letters import big, huge


class HeadlinePanel(Panel):
    """Three rows of big letters with a sentence below, twice as large on a huge screen. If big letters don't fit, only
    the sentence."""

    def announce(self, headline: Headline, width: int, is_huge: bool = False) -> None:
        fits = cell_len(headline.sentence) <= width
        sentence = headline.sentence if fits else headline.yours or headline.sentence
        drawn = [huge(text) for text in headline.big[:1] if is_huge] + [big(text) for text in headline.big]
        for rows in drawn:
            if rows is not None and cell_len(rows[0]) <= width - 2:
                gap = "\n" * (2 if is_huge else 1)
                self.show(Content.assemble(("\n".join(rows), "bold"), gap, sentence))
                return
        self.show(Content.assemble("\n", (sentence, "bold")))
