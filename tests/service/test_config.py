"""Settings: from the environment, refused where they are wrong."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.config import Settings, WrongSetting

ROOT = Path(__file__).parent.parent.parent
KEY = "app:" + "0a" * 32


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings()
    assert Settings.from_environment({"CARDREF_PORT": ""}).port == 8000


def test_every_variable_is_named_and_described_once() -> None:
    fields = dataclasses.fields(Settings)
    names = [field.metadata["name"] for field in fields]
    assert len(set(names)) == len(names)
    assert all(name.startswith("CARDREF_") for name in names)
    assert all(field.metadata["sentence"].endswith(".") for field in fields)


@pytest.mark.parametrize(("text", "share"), [("0", 0.0), ("1", 1.0), ("0.01", 0.01), (".5", 0.5), ("1.0", 1.0)])
def test_shares(text: str, share: float) -> None:
    assert Settings.from_environment({"CARDREF_AUDIT": text}).audit == share


def test_keys() -> None:
    found = Settings.from_environment({"CARDREF_API_KEYS": f"{KEY}, {KEY.upper().replace('APP', 'app')},"})
    assert found.api_keys == (("app", bytes.fromhex("0a" * 32)),) * 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CARDREF_PORT", "0"),
        ("CARDREF_PORT", "65536"),
        ("CARDREF_PORT", "8000x"),
        ("CARDREF_PORT", "８０００"),
        ("CARDREF_WORKERS", "-1"),
        ("CARDREF_THREADS", "1e3"),
        ("CARDREF_OPEN", "true"),
        ("CARDREF_SOLVER", "guess"),
        ("CARDREF_AUDIT", "1.01"),
        ("CARDREF_AUDIT", "-0.1"),
        ("CARDREF_AUDIT", "1%"),
        ("CARDREF_AUDIT", "nan"),
        ("CARDREF_AUDIT", "1e-2"),
        ("CARDREF_AUDIT", "."),
        ("CARDREF_LOG", "all"),
        ("CARDREF_API_KEYS", "geheim"),
        ("CARDREF_API_KEYS", "app:geheim"),
        ("CARDREF_API_KEYS", ":" + "0a" * 32),
        ("CARDREF_API_KEYS", f"{KEY};{KEY}"),
        ("CARDREF_HOST", "."),
        ("CARDREF_HOST", "a..b"),
        ("CARDREF_HOST", "a" * 70),
        ("CARDREF_HOST", "é" * 70),
        ("CARDREF_HOST", "\udcff"),
        ("CARDREF_HOST", "[::1"),
        ("CARDREF_HOST", "[]"),
    ],
)
def test_a_wrong_value_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(WrongSetting) as caught:
        Settings.from_environment({name: value})
    assert str(caught.value).startswith(f"{name} must be ")
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize("value", [",", " ", " , ,"])
def test_keys_without_a_key_do_not_open_the_service(value: str) -> None:
    with pytest.raises(WrongSetting, match=r"^CARDREF_API_KEYS holds no key"):
        Settings.from_environment({"CARDREF_API_KEYS": value})


def test_a_key_is_of_one_name() -> None:
    twice = f"shop:{'0a' * 32},shop:{'0A' * 32}"
    assert Settings.from_environment({"CARDREF_API_KEYS": twice}).has_keys
    with pytest.raises(WrongSetting, match=r"^CARDREF_API_KEYS has one key for two names, shop and bar$"):
        Settings.from_environment({"CARDREF_API_KEYS": f"shop:{'0a' * 32},bar:{'0a' * 32}"})


def test_a_variable_that_there_is_not_is_refused_with_the_nearest() -> None:
    for name, nearest in {"CARDREF_PROT": "CARDREF_PORT", "CARDREF_KEYS": "CARDREF_API_KEYS", "CARDREF_": ""}.items():
        with pytest.raises(WrongSetting, match=f"^{name} is no setting; CARDREF_.* is the nearest one$") as caught:
            Settings.from_environment({name: "x"})
        assert nearest in str(caught.value)
    assert Settings.from_environment({"CARDREF_PROT": "", "CARDREFPROT": "x", "OTHER": "x"}) == Settings()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"])
def test_open_mode_on_a_loopback_address(host: str) -> None:
    Settings(host=host).refuse_open_to_the_world()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", ""])
def test_open_mode_elsewhere_must_be_meant(host: str) -> None:
    with pytest.raises(WrongSetting):
        Settings(host=host).refuse_open_to_the_world()
    Settings(host=host, open=True).refuse_open_to_the_world()
    Settings(host=host, api_keys=(("app", b""),)).refuse_open_to_the_world()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"CARDREF_HOST": "0.0.0.0"}, "CARDREF_OPEN=yes"),
        ({"CARDREF_PORT": "x"}, "CARDREF_PORT must be"),
        ({"CARDREF_PROT": "9000"}, "CARDREF_PORT is the nearest"),
    ],
)
def test_the_service_does_not_start_with_wrong_settings(given: dict[str, str], said: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARDREF_")}
    done = subprocess.run(
        [sys.executable, "-m", "service"], cwd=ROOT, env=kept | given, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith("cardref: ")
    assert said in done.stderr
