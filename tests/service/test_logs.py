"""The log goes to standard error as it is when a line is written."""

import io
import json

import structlog

from service import logs


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
