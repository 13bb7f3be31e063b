"""The first few of every trial, in every `make test`. `make campaign` runs them at full length."""

import pytest

from tests.campaign.trial import names, trial


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_first_few_of_every_trial_hold(name: str) -> None:
    outcome = trial(name).run(trial(name).QUICK, seed=1)
    assert outcome.tried >= trial(name).QUICK
    assert outcome.failures == (), str(outcome)


@pytest.mark.parametrize("name", names())
def test_a_trial_says_what_it_tries_and_how(name: str) -> None:
    module = trial(name)
    assert module.TITLE
    assert module.HOW.endswith(".")
    assert 0 < module.QUICK <= module.FULL
