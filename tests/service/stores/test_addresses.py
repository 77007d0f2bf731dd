"""Addresses of stores: what is refused before anything is connected to, and what of it is said."""

from __future__ import annotations

import pytest

from service.stores.redis_client import RedisClient


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("redis://localhost:port", "a port from 1 to 65535"),
        ("redis://h:99999", "a port from 1 to 65535"),
        ("redis://h:0", "a port from 1 to 65535"),
        ("redis://.:1", "names its hosts"),
        (f"redis://{'a' * 70}:1", "names its hosts"),
        ("redis://[::1", "Invalid IPv6 URL"),
        ("redis://:geh/eim@localhost:1/0", "%2F"),
        ("redis://app:geh#eim@localhost:1/0", "%23"),
        ("redis://localhost/games", "whole number"),
        ("redis://localhost/-1", "whole number"),
        ("redis://localhost?foo=geheim", "foo"),
        ("redis://localhost?socket_timeout=geheim", "socket_timeout"),
        ("rediss://localhost?ssl_cert_reqs=what", "what"),
        ("redis+sentinel://a:b,c:1/cards", "a port from 1 to 65535"),
        ("redis+sentinel://a/cards/x", "whole number"),
        ("redis+sentinel://a", "name of the service"),
        ("redis+cluster://", "names its hosts"),
        ("redis+cluster://a,/", "names its hosts"),
        ("redis+cluster://a/3", "one database"),
    ],
)
def test_an_address_that_cannot_be_is_refused_and_tells_no_password(address: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        RedisClient(address)
    assert "geh" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "redis://", "redis://:6379", "redis://:geheim@/2", "redis://app:g%2Fh@[::1]:7000/0", "rediss://h?ssl_cert_reqs=none",
        "redis+sentinel://a,b:1/cards/2", "redis+cluster://a:1,[::1]:2/0", "redis+cluster://a",
    ],
)  # fmt: skip
def test_an_address_that_can_be(address: str) -> None:
    RedisClient(address).close()
