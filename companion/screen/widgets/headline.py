"""Who must do what, in letters as big as fit."""

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit.screen.face import Headline
from companion.gamekit.screen.letters import big
from companion.gamekit.screen.panel import Panel


class HeadlinePanel(Panel):
    """Three rows of big letters and the sentence below; normal letters where no big ones fit."""

    def announce(self, headline: Headline, width: int) -> None:
        for text in headline.big:
            rows = big(text)
            if rows is not None and cell_len(rows[0]) <= width - 2:
                self.show(Content.assemble(("\n".join(rows), "bold"), "\n", headline.sentence))
                return
        self.show(Content.assemble("\n", (headline.sentence, "bold")))
