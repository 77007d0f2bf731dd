"""Rules as values: what a caller may send, and what each field says of itself."""

import dataclasses

import pytest

from engine.errors import InvalidRules, UnknownPreset
from engine.options import describe, options, resolve, rules_hash, to_json
from engine.rummy.rules import HOUSE, INDIAN, RummyRules
from engine.swoop.rules import CLASSIC, SwoopRules
from engine.swoop.rules import HOUSE as SWOOP_HOUSE

BOTH = pytest.mark.parametrize("cls", [RummyRules, SwoopRules])


def test_omitted_rules_are_house_and_a_name_is_a_preset():
    assert resolve(RummyRules) is HOUSE
    assert resolve(RummyRules, "house") is HOUSE
    assert resolve(RummyRules, "indian") is INDIAN
    assert resolve(RummyRules, {}) == HOUSE


def test_single_fields_override_a_preset():
    rules = resolve(RummyRules, {"preset": "indian", "decks": 3, "points_cap": None, "trio_sizes": [3]})
    assert rules == dataclasses.replace(INDIAN, decks=3, points_cap=None, trio_sizes=(3,))


@BOTH
def test_resolved_rules_read_back_as_themselves(cls):
    for rules in cls.presets().values():
        assert resolve(cls, to_json(rules)) == rules


@pytest.mark.parametrize("given", ["nope", "", {"preset": "nope"}, {"preset": None}, {"preset": 3}])
def test_an_unknown_preset_is_told_from_a_wrong_field(given):
    with pytest.raises(UnknownPreset, match="the presets are house, indian"):
        resolve(RummyRules, given)


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        (3, ""),
        ([], ""),
        (True, ""),
        ({"dekcs": 1}, "/dekcs"),
        ({"a/b~c": 1}, "/a~1b~0c"),
        ({"decks": "2"}, "/decks"),
        ({"decks": True}, "/decks"),
        ({"decks": 2.0}, "/decks"),
        ({"decks": 0}, "/decks"),
        ({"decks": 10**30}, "/decks"),
        ({"pack_first": None}, "/pack_first"),
        ({"impure_needs_pure": 1}, "/impure_needs_pure"),
        ({"halve_rounding": "sideways"}, "/halve_rounding"),
        ({"halve_rounding": ["down"]}, "/halve_rounding"),
        ({"trio_sizes": []}, "/trio_sizes"),
        ({"trio_sizes": [4, 3]}, "/trio_sizes"),
        ({"trio_sizes": [3, 3]}, "/trio_sizes"),
        ({"trio_sizes": 3}, "/trio_sizes"),
        ({"opening_cards": [7, 6]}, "/opening_cards"),
        ({"opening_cards": [6]}, "/opening_cards"),
        ({"opening_cards": [6, 7, 8]}, "/opening_cards"),
        ({"one_deck_up_to": 5, "two_decks_up_to": 4}, "/one_deck_up_to"),
        ({"format": "pool"}, "/pool_limit"),
        ({"format": "deals"}, "/deals"),
        ({"format": "pool", "pool_limit": 101, "pool_rejoin_ceiling": 100}, "/pool_rejoin_ceiling"),
        ({"format": "pool", "pool_limit": 101, "pool_split": "automatic"}, "/pool_split_total"),
        ({"preset": "pool_101", "pool_split_total": 79}, "/pool_split_total"),
    ],
)
def test_a_wrong_field_is_named_with_what_is_allowed(given, pointer):
    with pytest.raises(InvalidRules) as caught:
        resolve(RummyRules, given)
    assert [flaw.pointer for flaw in caught.value.flaws] == [pointer]
    assert caught.value.flaws[0].detail


def test_every_wrong_field_is_named():
    with pytest.raises(InvalidRules) as caught:
        resolve(RummyRules, {"decks": 0, "max_turns": "many"})
    assert [flaw.pointer for flaw in caught.value.flaws] == ["/decks", "/max_turns"]


@pytest.mark.parametrize("points", [{}, {"A": 1}, None, 3, {"A": 1, "X": 2}])
def test_a_table_of_points_must_be_whole(points):
    with pytest.raises(InvalidRules, match="for each of A, 2"):
        resolve(SwoopRules, {"points": points})
    with pytest.raises(InvalidRules, match="for each of A, 2"):
        resolve(RummyRules, {"points": points})


def test_a_table_of_points_names_the_cards_that_cost_something():
    of_ranks = dict.fromkeys("A23456789TJQK", 5)
    assert resolve(RummyRules, {"points": of_ranks}).points == (5,) * 13
    with pytest.raises(InvalidRules):
        resolve(RummyRules, {"points": of_ranks | {"JK": 0}})
    with pytest.raises(InvalidRules):
        resolve(RummyRules, {"points": of_ranks | {"A": 0}})


@BOTH
def test_every_field_documents_itself(cls):
    told = describe(cls)
    assert [field["name"] for field in told["fields"]] == [field.name for field in dataclasses.fields(cls)]
    for field in told["fields"]:
        assert field["sentence"].endswith(".")
        assert field["section"].count(".") == 1
        assert options(cls)[field["name"]].read(field["default"], "") == getattr(cls.presets()["house"], field["name"])


@BOTH
def test_every_value_of_every_preset_is_allowed(cls):
    for rules in cls.presets().values():
        for name, field in options(cls).items():
            assert field.read(field.write(getattr(rules, name)), "") == getattr(rules, name)
        assert not rules.contradictions()


def test_equal_rules_have_equal_hashes_and_others_do_not():
    assert rules_hash(resolve(RummyRules, {"decks": 2})) == rules_hash(dataclasses.replace(HOUSE, decks=2))
    assert len({rules_hash(rules) for rules in (HOUSE, INDIAN, dataclasses.replace(HOUSE, decks=2))}) == 3


def test_a_preset_never_changes_once_released():
    """A changed reading is a new name (rules.md §3); these are the hashes of the presets as released."""
    assert rules_hash(HOUSE) == "a8678b0321f37c9e957969644ce309ad3c6766a72287b96e8dc27b3dd0a40adb"
    assert rules_hash(INDIAN) == "270f30988cdb2929afd8f371daa59b01b79e4ad76c89b831fe1cffb767c976f9"
    assert rules_hash(SWOOP_HOUSE) == "87330311b9958b5da1729c7b0777515a631e25a9d1dca0b2065370cc2e3f1226"
    assert rules_hash(CLASSIC) == "ceca5ca5e5252311763bdd1ab4a950c86ed980e439cf58fc0ed85fc2770a7341"
