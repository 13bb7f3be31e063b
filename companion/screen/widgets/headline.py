"""Who must do what, in letters as big as fit."""

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit.screen.face import Headline
from companion.gamekit.screen.letters import big, huge
from companion.gamekit.screen.panel import Panel


class HeadlinePanel(Panel):
    """Three rows of big letters and the sentence below, twice as large on a huge screen; normal letters where no big
    ones fit."""

    def announce(self, headline: Headline, width: int, is_huge: bool = False) -> None:
        drawn = [huge(text) for text in headline.big[:1] if is_huge] + [big(text) for text in headline.big]
        for rows in drawn:
            if rows is not None and cell_len(rows[0]) <= width - 2:
                gap = "\n" * (2 if is_huge else 1)
                self.show(Content.assemble(("\n".join(rows), "bold"), gap, headline.sentence))
                return
        self.show(Content.assemble("\n", (headline.sentence, "bold")))
