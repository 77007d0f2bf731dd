"""``python -m service check-config``: whether the service would start with these settings, and find what it needs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from service.config import Settings, WrongSetting
from service.stores.errors import StoreUnavailable
from service.stores.lifetimes import Lifetimes
from service.stores.opening import FILE, open_store


def run(environment: Mapping[str, str]) -> int:
    """Say every fault, and end with 1 if there is any. Nothing is made or changed but a mark in Redis that goes by itself."""
    settings, found = Settings.read(environment)
    warnings: list[str] = []
    faults = [*found, *_faults(settings, warnings)]
    for warning in warnings:
        print(f"cardref: warning: {warning}", file=sys.stderr)
    for fault in faults:
        print(f"cardref: {fault}", file=sys.stderr)
    if faults:
        return 1
    print(f"cardref: the settings are good; games are kept in {settings.place}")
    return 0


def _faults(settings: Settings, warnings: list[str]) -> Iterator[str]:
    for check in (settings.refuse_open_to_the_world, settings.key_ring):
        try:
            check()
        except WrongSetting as wrong:
            yield str(wrong)
    replicas = int(settings.durability == "durable")
    try:
        store = open_store(settings.store or None, settings.data, lifetimes=Lifetimes(), replicas=replicas, accept_loss=settings.accept_loss)  # fmt: skip
    except ValueError as wrong:
        yield f"CARDREF_STORE, CARDREF_DURABILITY: {wrong}"
        return
    if not settings.store:
        yield from _faults_of_folder(settings.data)
        return
    try:
        warnings += [f"CARDREF_STORE: {notice.sentence}" for notice in store.ready()]
    except StoreUnavailable as wrong:
        yield f"CARDREF_STORE: {wrong}"
    finally:
        store.close()


def _faults_of_folder(folder: Path) -> Iterator[str]:
    """Whether games can be written there, without writing any: the file may be another release's."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        yield f"CARDREF_DATA: {there} is no folder"
    else:
        try:
            with tempfile.TemporaryFile(dir=there):
                pass
        except OSError as wrong:
            yield f"CARDREF_DATA: {there} cannot be written: {wrong.strerror}"
    file = folder / FILE
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        yield f"CARDREF_DATA: {file} cannot be read and written"
