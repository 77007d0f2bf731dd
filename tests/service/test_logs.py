"""What a log line says, and that it goes to standard error as it is when the line is written."""

import io
import json

import structlog

from service.http import access_log
from service.process import logs
from service.stores.lifetimes import Lifetimes
from service.stores.sqlite_store import SqliteStore
from tests.service.hosted.tables import Service


def test_a_standard_error_that_was_closed_since_spoils_no_line(monkeypatch):
    before = structlog.get_config()
    try:
        gone, here = io.StringIO(), io.StringIO()
        monkeypatch.setattr("sys.stderr", gone)
        logs.configure()
        log = structlog.get_logger()
        log.info("first")
        gone.close()
        monkeypatch.setattr("sys.stderr", here)
        log.info("second", operation="x")
        line = json.loads(here.getvalue())
        assert (line["event"], line["level"], line["operation"]) == ("second", "info", "x")
    finally:
        structlog.configure(**before)


class Lines:
    """In the place of the log: what it would write."""

    def __init__(self):
        self.written = []

    def info(self, event, **fields):
        self.written.append({"event": event, **fields})


def test_a_line_says_who_called_and_which_game(tmp_path, monkeypatch):
    lines = Lines()
    monkeypatch.setattr(access_log, "_log", lines)
    store = SqliteStore(tmp_path / "games.sqlite3", lifetimes=Lifetimes())
    service = Service(store, log="requests")
    table = service.create()
    table.seats[1].get(table.path)
    table.spectator.post(f"{table.path}/moves", {"move": {"type": "pack"}}, match=1)
    service.other.get(table.path)
    service.as_("no-key").get(table.path)
    service.shop.get("/v1/rules")
    service.as_(None).get("/healthz")
    store.close()
    said = [(line["status"], line.get("caller"), line.get("game")) for line in lines.written]
    assert said == [
        (201, "shop", None),
        (200, "s1", table.id),
        (403, "spectator", table.id),
        (404, None, table.id),  # who is no caller of this game is not named as one
        (401, None, table.id),
        (200, "shop", None),
        (200, None, None),
    ]
    written = json.dumps(lines.written)
    assert not any(caller.token in written for caller in (*table.seats, table.spectator, service.shop))
