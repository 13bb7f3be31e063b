"""What the doctor says about phones, with real sockets."""

import socket
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from companion.devices.finding import Finding, findings
from companion.doctor.phone_check import certificate_check, links_check, phones_check

HERE = "127.0.0.1"


def found(
    ports: range, missing: Sequence[str] = (), addresses: Sequence[str] = (HERE,), *, wanted: bool = False
) -> Finding:
    (finding,) = findings([phones_check(lambda: missing, lambda: addresses, ports, wanted=wanted)])
    return finding


@pytest.fixture
def free() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.bind((HERE, 0))
        other.listen(1)
        yield other.getsockname()[1]


def test_it_says_where_phones_would_come_to_and_leaves_the_port_alone(free: int) -> None:
    for _ in range(2):
        finding = found(range(free, free + 1))
        assert (finding.verdict, finding.advice) == ("ok", "")
        assert f"{HERE}:{free};" in finding.words


def test_a_port_that_is_taken_is_named_and_the_next_one_is_used(taken: int) -> None:
    finding = found(range(taken, min(taken + 50, 65536)))
    assert finding.verdict == "ok"
    assert f"{taken} is taken" in finding.words
    assert f"{HERE}:{taken};" not in finding.words


def test_where_all_ports_are_taken_it_says_what_to_do(taken: int) -> None:
    finding = found(range(taken, taken + 1))
    assert finding.verdict == "check"
    assert "--port" in finding.advice


def test_where_there_are_several_addresses_the_others_are_named(free: int) -> None:
    words = found(range(free, free + 1), addresses=(HERE, "10.42.0.1")).words
    assert words.endswith("also here: 10.42.0.1 (--address)")


@pytest.mark.parametrize(
    ("missing", "addresses", "words", "advice"),
    [
        (("aiohttp",), (HERE,), "aiohttp is missing", "companion-table[phones]"),
        (("aiohttp", "segno"), (HERE,), "aiohttp and segno are missing", "companion-table[phones]"),
        ((), (), "not in a network", "docs/phones.md"),
    ],
)
def test_what_is_missing_is_a_problem_only_for_a_table_that_names_a_network_for_phones(
    missing: Sequence[str], addresses: Sequence[str], words: str, advice: str
) -> None:
    wanted = found(range(1), missing, addresses, wanted=True)
    assert wanted.verdict == "problem"
    assert words in wanted.words
    assert advice in wanted.advice
    optional = found(range(1), missing, addresses)
    assert (optional.verdict, optional.advice) == ("ok", "")
    assert words in optional.words
    assert advice in optional.words


def test_an_address_that_is_not_here_has_no_port() -> None:
    assert found(range(8137, 8139), addresses=("203.0.113.9",)).verdict == "check"


def certified(until: datetime | None) -> list[Finding]:
    return list(findings([certificate_check(lambda: until, NOW)]))


NOW = datetime(2026, 11, 18, tzinfo=UTC)


def test_a_certificate_that_has_expired_is_told_and_one_that_is_good_says_until_when() -> None:
    assert certified(None) == []
    (good,) = certified(NOW + timedelta(days=100))
    assert good.verdict == "ok"
    assert "good until 26 Feb 2027" in good.words
    (expired,) = certified(NOW - timedelta(days=1))
    assert expired.verdict == "check"
    assert "expired on 17 Nov 2026" in expired.words


def test_a_changed_address_is_named_as_the_cause_why_links_on_stickers_fail() -> None:
    links = {"lascaux": "http://192.168.1.20:8137", "sioux": "http://10.42.0.1:8137"}
    lost, good = findings([links_check(lambda: links, lambda: ["10.42.0.1"])])
    assert (lost.verdict, good.verdict) == ("check", "ok")
    assert "open http://192.168.1.20:8137, but this computer is now at 10.42.0.1" in lost.words
    assert "`companion tags write lascaux --links`" in lost.advice
    assert list(findings([links_check(dict, lambda: ["10.42.0.1"])])) == []
