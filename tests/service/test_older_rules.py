"""Rules that were written before one of their fields existed: states that apps and stores hold, and records.

`tests/cases/older-rules.json` was written by the release before `max_trios_scored`, when `max_trios` limited scores too.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from engine.options import options, resolve, to_json
from engine.rummy.game import GAME
from engine.rummy.rules import RummyRules
from service.hosted.table import read_table
from service.use_cases.replay import Divergence, verify
from tests.service.calls import CASES, answered, wrong

OLD = json.loads((CASES / "older-rules.json").read_text())
MEANT = {
    "max_trios_scored": 2,
    "format": "rounds",
    "pool_limit": None,
    "pool_rejoin_ceiling": None,
    "pool_rejoins": None,
    "pool_split": "none",
    "pool_split_total": None,
    "deals": None,
    "chips_per_deal": 80,
    "tie_break_deals": 3,
    "packing": True,
    "wildcards_alone": "none",
    "points": dict(zip("A23456789TJQK", (10, *range(2, 11), 10, 10, 10), strict=True)),
    "ace_points": None,
    "full_count_without_pure": None,
    "halves_for": "all",
    "cap_before_halving": False,
    "loser_grouping": "best",
}


@pytest.fixture
def state() -> Any:
    return copy.deepcopy(OLD["state"])


def test_a_state_is_read_as_it_was_meant(client: FlaskClient, state: Any) -> None:
    assert not MEANT.keys() & state["rules"].keys()
    view = answered(client, "/v1/rummy/views", {"state": state, "seat": 1})["view"]
    assert view["rules"] == state["rules"] | MEANT
    assert (view["rules"]["trio_needs"], view["totals"]) == ("second_sequence", [0, 34])


def test_a_match_goes_on_and_its_new_states_have_every_field(client: FlaskClient, state: Any) -> None:
    body = {"state": state, "seat": None, "move": {"type": "next_round"}}
    after = answered(client, "/v1/rummy/transitions", body)["state"]
    assert after["rules"] == state["rules"] | MEANT
    assert after["rules_hash"] != state["rules_hash"]
    assert answered(client, "/v1/rummy/legal-moves", {"state": after, "seat": after["turn"]})["moves"]


def test_the_hash_is_that_of_the_fields_there_are(client: FlaskClient, state: Any) -> None:
    state["rules"] |= MEANT  # the same rules, and still not what was hashed
    wrong(client, "/v1/rummy/views", {"state": state, "seat": 0}, "corrupt_state", "/state/rules_hash")


def test_a_field_of_old_is_still_required(client: FlaskClient, state: Any) -> None:
    del state["rules"]["max_trios"]
    wrong(client, "/v1/rummy/views", {"state": state, "seat": 0}, "corrupt_state", "/state/rules/max_trios")


def test_a_stored_table_is_read() -> None:
    table = read_table("rummy", orjson.dumps(OLD["table"]))
    assert to_json(table.state.rules) == OLD["table"]["state"]["rules"] | MEANT
    GAME.check(table.state)


def test_a_record_is_verified() -> None:
    assert verify(orjson.dumps(OLD["record"])).moves == len(OLD["record"]["moves"])
    other = OLD["record"] | {"rules": OLD["record"]["rules"] | MEANT}
    with pytest.raises(Divergence) as found:
        verify(orjson.dumps(other))
    assert found.value.where == "/rules_hash"


def test_a_caller_who_chooses_rules_gets_those_of_the_preset() -> None:
    assert resolve(RummyRules, {"max_trios": 1}).max_trios_scored is None


def test_what_a_field_meant_before_it_existed_is_a_value_of_it() -> None:
    for name, field in options(RummyRules).items():
        if field.before is not None:
            for rules in RummyRules.presets().values():
                meant = field.before({each: getattr(rules, each) for each in options(RummyRules) if each != name})
                assert field.read(field.write(meant), "") == meant
