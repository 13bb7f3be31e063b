"""The first few of every trial, in every `make test`. `make campaign` runs them at full length."""

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from companion.messages.protocol import FROM_SCREEN
from tests.campaign.__main__ import main
from tests.campaign.trial import names, trial
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


@pytest.mark.parametrize("name", names())
def test_a_trial_says_what_it_tries_and_how(name: str) -> None:
    module = trial(name)
    assert module.TITLE
    assert module.HOW.endswith(".")
    assert 0 < module.QUICK <= module.FULL
