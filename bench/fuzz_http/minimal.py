"""The smallest call that still shows a fault."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace

from bench.fuzz_http.calls import Call
from bench.fuzz_http.values import places

TRIES = 300


def smallest(call: Call, shows: Callable[[Call], bool]) -> Call:
    """Leave out of the call whatever can be left out; at most so many are tried."""
    tries = 0
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in _smaller(call):
            tries += 1
            if tries > TRIES:
                return call
            if shows(smaller):
                call, shrunk = smaller, True
                break
    return call


def _smaller(call: Call) -> Iterator[Call]:
    for at in range(len(call.headers)):
        yield replace(call, headers=call.headers[:at] + call.headers[at + 1 :])
    if call.query:
        yield replace(call, query="")
    if isinstance(call.body, bytes):
        half = len(call.body) // 2
        if half:
            yield replace(call, body=call.body[:half])
            yield replace(call, body=call.body[half:])
            yield replace(call, body=call.body[:-1])
        return
    for number in range(len(places(call.body))):
        body = copy.deepcopy(call.body)
        inside, key = places(body)[number]
        del inside[key]
        yield replace(call, body=body)
