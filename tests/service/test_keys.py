"""The file of keys: what may stand in it, what is said of one that is wrong, and how it is read again."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import create_app
from service.callers.keys import MOST_BYTES, Apps, KeyRing, WrongKeys, read_file
from service.callers.limits import Limits
from service.config import Settings, WrongSetting
from tests.conftest import free_port
from tests.servers import wait_for
from tests.service.calls import GROUPINGS, HAND
from tests.service.process import Process, serving
from tests.service.test_starting import refused

USUAL = Limits(solves=7)


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def test_keys_with_and_without_limits() -> None:
    text = f"""
    # all of ours
    shop:{hashed("new")}  requests=50 waiters=none   # since May
    shop:{hashed("old")}
    bar.2:{hashed("b").upper()}
    bar.3:{hashed("c")}\tsolves=9,requests=8
    """
    found = read_file(text, USUAL)
    assert [(name, digest.hex()) for name, digest in found.keys] == [
        ("shop", hashed("new")), ("shop", hashed("old")), ("bar.2", hashed("b")), ("bar.3", hashed("c")),
    ]  # fmt: skip
    assert found.limits_of("shop") == Limits(requests=50, solves=7, waiters=None)
    assert found.limits_of("bar.2") == USUAL
    assert found.limits_of("bar.3") == Limits(requests=8, solves=9)


KEY = f"shop:{hashed('geheim')}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no key"),
        ("# shop\n\n", "holds no key"),
        ("geheim", "line 1 must be name:sha256hex"),
        (f"{KEY}\n\nshop:geheim", "line 3 must be name:sha256hex"),
        (f"{KEY}x", "line 1 must be name:sha256hex"),
        (f"shop :{hashed('k')}", "line 1 must be name:sha256hex"),
        (f"{KEY},{KEY}", "line 1 must be name:sha256hex"),
        (f"{KEY} geheim", "line 1 must be requests=…"),
        (f"{KEY} geheim=1", "line 1 must be requests=…"),
        (f"{KEY} requests=geheim", "line 1 needs a whole number from 1, or none, for requests"),
        (f"{KEY} requests=0", "line 1 needs a whole number"),
        (f"{KEY} requests=-1", "line 1 needs a whole number"),
        (f"{KEY} requests=1.5", "line 1 needs a whole number"),
        (f"{KEY} requests= 5", "line 1 needs a whole number"),
        (f"{KEY} requests=5 requests=6", "line 1 names requests twice"),
        (f"a:{hashed('k')}\n{KEY}\n{KEY.replace('shop', 'bar')}", "line 3 has the same key as line 2"),
        (f"{KEY} requests=5\nshop:{hashed('k')} requests=6", "line 2 has other limits for this name than line 1"),
    ],
)
def test_a_wrong_file_names_the_line_and_no_secret(text: str, said: str) -> None:
    with pytest.raises(WrongKeys) as caught:
        read_file(text, USUAL)
    assert str(caught.value).startswith(said)
    assert "geheim" not in str(caught.value)
    assert hashed("geheim") not in str(caught.value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(WrongKeys):
        assert read_file(text, USUAL).keys


def test_whose_limits_are_whose(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"{KEY} requests=5")
    given = (("bar", bytes(32)),)
    assert KeyRing((), None, None).apps == Apps()  # open mode: none, unless some are chosen
    assert KeyRing((), None, USUAL).apps.limits_of("") == USUAL
    assert KeyRing(given, None, None).apps.limits_of("bar") == Limits()
    ring = KeyRing(given, file, USUAL)
    assert [name for name, _ in ring.apps.keys] == ["bar", "shop"]
    assert ring.apps.limits_of("bar") == USUAL
    assert ring.apps.limits_of("shop") == Limits(requests=5, solves=7)


@pytest.mark.parametrize("spoilt", [b"geheim", b"", b"\xff", None])
def test_reading_a_spoilt_file_again_changes_nothing(tmp_path: Path, spoilt: bytes | None) -> None:
    file = tmp_path / "keys"
    file.write_text(KEY)
    ring = KeyRing((), file, None)
    before = ring.apps
    if spoilt is None:
        file.unlink()
    else:
        file.write_bytes(spoilt)
    ring.reread()
    assert ring.apps is before
    file.write_text(f"{KEY} requests=5")
    ring.reread()
    assert ring.apps.limits_of("shop") == Limits(requests=5)


def test_a_key_of_another_name_in_the_file_is_refused_and_read_again_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"bar:{hashed('geheim')}\n")
    given = (("shop", bytes.fromhex(hashed("geheim"))),)
    with pytest.raises(WrongKeys, match=r"^has one key for two names, shop and bar$"):
        KeyRing(given, file, None)
    file.write_text(KEY)
    ring = KeyRing(given, file, None)
    before = ring.apps
    file.write_text(f"bar:{hashed('geheim')}\n")
    ring.reread()
    assert ring.apps is before


def test_a_mark_of_unicode_before_the_first_key(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(KEY, encoding="utf-8-sig")
    assert KeyRing((), file, None).apps.names == {bytes.fromhex(hashed("geheim")): "shop"}


def test_what_has_no_end_is_no_file_of_keys(tmp_path: Path) -> None:
    pipe, long = tmp_path / "pipe", tmp_path / "long"
    os.mkfifo(pipe)
    with long.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for place, why in (
        (pipe, "no regular file"),
        (Path("/dev/zero"), "no regular file"),
        (long, "larger than 16,777,216"),
    ):
        with pytest.raises(WrongKeys, match=f"^cannot be read: it is {why}"):
            KeyRing((), place, None)


def test_a_file_that_is_wrong_is_no_setting(tmp_path: Path) -> None:
    settings = Settings(api_keys_file=tmp_path / "none", host="0.0.0.0")
    settings.refuse_open_to_the_world()
    with pytest.raises(WrongSetting, match=r"^CARDREF_API_KEYS_FILE cannot be read: No such file"):
        create_app(settings)


def test_the_service_does_not_start_with_a_wrong_file(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"{KEY}\nshop:geheim\n")
    line = refused(tmp_path, CARDREF_API_KEYS_FILE=str(file), CARDREF_PORT=str(free_port()))
    assert line.startswith("cardref: CARDREF_API_KEYS_FILE line 2 must be name:sha256hex")
    assert "geheim" not in line


def status(served: Process, key: str) -> int:
    """What a call with this key is answered, by whichever worker."""
    request = urllib.request.Request(
        served.url + GROUPINGS,
        json.dumps({"hand": HAND, "wild_rank": "7"}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as wrong:
        return wrong.code


def test_a_hangup_brings_other_keys_and_ends_nobody(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"shop:{hashed('old')}\n")
    with serving(tmp_path, CARDREF_API_KEYS_FILE=str(file), CARDREF_WORKERS="2") as served:
        wait_for(lambda: len(served.workers()) == 2, "both workers")
        workers = served.workers()
        assert (status(served, "old"), status(served, "new")) == (200, 401)
        file.write_text("geheim\n")
        served.process.send_signal(signal.SIGHUP)
        file.write_text(f"shop:{hashed('new')}\n")
        served.process.send_signal(signal.SIGHUP)
        wait_for(lambda: all((status(served, "old"), status(served, "new")) == (401, 200) for _ in range(20)), "keys")
        assert served.workers() == workers
