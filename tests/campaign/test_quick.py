"""The first few of every trial, in every `make test`. `make campaign` runs them at full length."""

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from companion.messages.protocol import FROM_SCREEN
from tests.campaign.__main__ import BEGIN, END, main, publish, publish_measured, published, row
from tests.campaign.trial import Measured, Outcome, names, trial
from tests.campaign.trials import messages, pads_on_the_pi


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_first_few_of_every_trial_hold(name: str) -> None:
    outcome = trial(name).run(trial(name).QUICK, seed=1)
    assert outcome.tried >= trial(name).QUICK
    assert outcome.failures == (), str(outcome)


def test_every_kind_of_message_is_among_those_that_are_sent(tmp_path: Path) -> None:
    """Also one that the protocol has only since today: the test finds it by itself."""
    told = {kind.__struct_config__.tag for kind in get_args(FROM_SCREEN)}
    assert {"act", "hello", "peek", "prepare", "end match"} <= told
    table = messages.Fuzzed(tmp_path, "lascaux", seed=1)
    with closing(table.journal):
        fuzz = messages.Fuzz(Random(1), table.evening)
        sent = [message for _ in range(100) for message in fuzz.burst() if message not in messages.RUBBISH]
    assert {json.loads(message)["is"] for message in sent} == told


def test_a_run_at_a_pad_is_the_same_alone_as_after_others() -> None:
    """Else a failure could not be brought about again."""
    together = [pads_on_the_pi.evening(number, Random(f"3 {number}")).deeds for number in range(4)]
    assert [pads_on_the_pi.evening(3, Random("3 3")).deeds] == together[3:]
    assert len({*map(tuple, together)}) == len(together)


@pytest.mark.parametrize("trials", [[], ["messages"], ["pads_on_the_pi", "messages"]])
def test_one_run_is_asked_of_trials_at_pads_only(
    trials: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["campaign", *trials, "--run", "3"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    told = capsys.readouterr()
    assert ("messages is no trial at pads" if trials else "of which trial") in told.err
    assert told.out == ""


@pytest.mark.parametrize("name", ["pads_on_the_pi", "secrets"])
def test_what_is_tried_later_is_added_to_what_the_page_has(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "reliability.md"
    page.write_text(
        f"Before.\n{BEGIN}\n{END}\n<!-- measured {name}: begin -->\n<!-- measured {name}: end -->\n", encoding="utf-8"
    )
    monkeypatch.setattr("tests.campaign.__main__.PAGE", page)
    with pytest.raises(ValueError, match="no figures"):
        published(name)
    seen = {"faults, and more": 1_234, "of them in Sioux": 0}
    once = Outcome(5, seen, (), {"Act": Measured(1_642, 0.25)}, "bits told")
    publish({name: row(name, once)})
    publish_measured(name, once)
    both = published(name) + once
    publish({name: row(name, both)})
    publish_measured(name, both)
    assert published(name) == Outcome(
        10, {"faults, and more": 2_468, "of them in Sioux": 0}, (), {"Act": Measured(3_284, 0.5)}
    )
    publish({name: row(name, Outcome(1, seen, ("it failed",)))})
    with pytest.raises(ValueError, match="no figures"):
        published(name)  # a failure is looked into first


@pytest.mark.parametrize("name", names())
def test_a_trial_says_what_it_tries_and_how(name: str) -> None:
    module = trial(name)
    assert module.TITLE
    assert module.HOW.endswith(".")
    assert 0 < module.QUICK <= module.FULL
