"""The choice of a connection's proxy, and the texts of its errors."""

from __future__ import annotations

import pytest

from tapedeck._calls import fitting_message
from tapedeck._connection import proxy_of

PROXIES = {"http": "http://one.test:8080", "https": "two.test:8080", "all": "socks5://three.test"}


@pytest.mark.parametrize(
    ("url", "proxies", "proxy"),
    [
        ("http://tapedeck.test", PROXIES, "http://one.test:8080"),
        ("https://tapedeck.test", PROXIES, "http://two.test:8080"),
        ("HTTPS://tapedeck.test", {"all": "socks5://three.test"}, "socks5://three.test"),
        ("http://tapedeck.test", {"https": "http://two.test:8080"}, None),
        ("http://tapedeck.test", {}, None),
        ("http://tapedeck.test", {"http": ""}, None),
    ],
)
def test_the_proxy_is_that_of_the_scheme(url: str, proxies: dict[str, str], proxy: str | None) -> None:
    assert proxy_of(url, proxies) == proxy


@pytest.mark.parametrize(
    ("url", "no_proxy", "is_named"),
    [
        ("http://tapedeck.test", "*", True),
        ("http://tapedeck.test", "other.test, TAPEDECK.test", True),
        ("http://tapedeck.test", "other.test tapedeck.test", True),
        ("http://ci.tapedeck.test.", ".tapedeck.test", True),
        ("http://ci.tapedeck.test", "tapedeck.test", True),
        ("http://ci.tapedeck.test", "*.tapedeck.test", True),
        ("http://mytapedeck.test", "tapedeck.test", False),
        ("http://tapedeck.test:3000", "tapedeck.test:3000", True),
        ("http://tapedeck.test:3000", "tapedeck.test:80", False),
        ("https://tapedeck.test", "tapedeck.test:443", True),
        ("http://127.0.0.1:3000", "127.0.0.0/8", True),
        ("http://10.1.2.3", "10.0.0.0/16", False),
        ("http://[::1]:3000", "[::1]", True),
        ("http://[::1]:3000", "::1", True),
        ("http://[::1]:3000", "[::1]:3000", True),
        ("http://[::1]:3000", "[::1]:80", False),
        ("http://[fd00::12]", "fd00::/8", True),
        ("http://[fd00::12]", "[fd00::]/8", True),
        ("http://127.0.0.1", "::1,fd00::/8", False),
        ("http://tapedeck.test", "http://tapedeck.test", True),
        ("http://tapedeck.test", ",, [, ]:, [::1, 1.2.3.4/99, :", False),
    ],
)
def test_no_proxy_takes_names_addresses_networks_and_ports(url: str, no_proxy: str, is_named: bool) -> None:
    proxies = {"http": "http://one.test", "https": "http://one.test", "no": no_proxy}
    assert (proxy_of(url, proxies) is None) == is_named


def test_a_long_message_is_cut_to_8_kib_with_a_note_of_what_is_missing() -> None:
    assert fitting_message("ü" * 4096) == "ü" * 4096
    cut = fitting_message("ü" * 10_000)
    kept, note = cut.rsplit("\n", 1)
    assert len(cut.encode()) <= 8192
    assert kept == "ü" * len(kept)
    assert note == f"… (cut, {10_000 - len(kept):,} more characters)"
    # Half of a surrogate pair is no text.
    assert fitting_message("half \ud83d") == "half ?"
