"""What the problems of hosted games say: what would be right."""

from __future__ import annotations

from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, Service


def test_if_match_says_its_form(here: Service) -> None:
    table = here.create(starter=0)

    def said(match: str | None, status: int, code: str) -> str:
        return str(refused(table.move(DRAW, match=match), status, code)["detail"])

    assert '`If-Match: "v1"`' in said(None, 428, "version_required")
    assert '`If-Match: "v1"`' in said("*", 428, "version_required")
    for match in ("v1", "1", 'W/"v1"', '"v1", "v2"', '"1"'):
        assert 'in quotes and not weak: If-Match: "v1" (it is' in said(match, 412, "stale_version")
    assert said('"v9"', 412, "stale_version").startswith("the game has moved on")


def test_not_due_says_why(here: Service) -> None:
    table = here.create()
    problem = refused(table.app.post(f"{table.path}/timeouts", match=1), 409, "not_due")
    assert problem["deadline"] is None
    assert problem["detail"] == "The game has no clock: it was made without turn_seconds."
    table = here.create(turn_seconds=60)
    problem = refused(table.app.post(f"{table.path}/timeouts", match=1), 409, "not_due")
    assert problem["deadline"] in problem["detail"]
