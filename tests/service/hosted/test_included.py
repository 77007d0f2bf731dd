"""What answers carry of the table if they are asked to (`include`), and the rules that views then tell by their hash."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engine.errors import Undecided
from engine.games import GAMES
from engine.options import rules_hash, to_json
from service.hosted.table import Table as Stored
from service.stores.contract import Page
from service.stores.errors import StoreUnavailable
from service.use_cases import included
from tests.engine.rummy.arranger import Naturals
from tests.service.calls import refused
from tests.service.hosted.tables import DRAW, LIFETIMES, SEED, Caller, Clock, Service, Table

BOTH = "include=view,legal_moves"
RULES = {"preset": "indian", "points_cap": 61}


@pytest.fixture
def table(service: Service) -> Table:
    return service.create(seats=3, seed=SEED, starter=0, rules=RULES)


@pytest.fixture
def one(here: Service) -> Table:
    return here.create(seats=3, seed=SEED, starter=0, rules=RULES)


def by_hash(view: Any) -> Any:
    return {name: value for name, value in view.items() if name != "rules"}


def told(caller: Caller, table: Table, seat: str = "") -> dict[str, Any]:
    """What two calls tell of a table, as one that includes both has to."""
    view = caller.get(f"{table.path}{seat}").json["view"]
    listed = caller.get(f"{table.path}/legal-moves{seat}").json
    return {"view": by_hash(view), "legal_moves": {"seat": listed["seat"], "moves": listed["moves"]}}


def carried(body: Any) -> dict[str, Any]:
    return {name: body[name] for name in ("view", "legal_moves")}


def test_every_answer_carries_the_table_as_it_is_at_its_version(table: Table) -> None:
    created = table.service.shop.post(
        f"/v1/games?{BOTH}", {"game": "rummy", "seats": ["x", "y"], "seed": SEED, "starter": 1}
    )
    fresh = Table(table.service, created.json)
    assert carried(created.json) == told(fresh.app, fresh)
    assert created.json["legal_moves"]["seat"] == 1
    ann, ben, _ = table.seats
    drawn = ann.post(f"{table.path}/moves?{BOTH}", {"move": DRAW}, match=1)
    assert carried(drawn.json) == told(ann, table)
    assert {move["type"] for move in drawn.json["legal_moves"]["moves"]} >= {"discard"}
    for caller in (ann, ben):
        heard = caller.get(f"{table.path}/events?after=1&{BOTH}")
        assert heard.headers["ETag"] == '"v2"'
        assert carried(heard.json) == told(caller, table)
        assert carried(caller.get(f"{table.path}?{BOTH}").json) == told(caller, table)
    assert ben.get(f"{table.path}?{BOTH}").json["legal_moves"] == {"seat": 1, "moves": []}
    by_app = table.app.get(f"{table.path}/events?after=1&{BOTH}").json
    assert carried(by_app) == told(table.app, table)
    assert by_app["legal_moves"]["seat"] == 0
    as_ben = table.app.get(f"{table.path}/events?after=1&seat=1&{BOTH}").json
    assert carried(as_ben) == told(ben, table)
    card = drawn.json["events"][0]["card"]
    discard = {"seat": 0, "move": {"type": "discard", "card": card}}
    relayed = table.app.post(f"{table.path}/moves?{BOTH},views", discard, match=2).json
    assert relayed["view"] == told(ann, table)["view"]
    assert relayed["legal_moves"] == told(ben, table)["legal_moves"]  # for the app, of the seat to move
    assert relayed["views"]["seats"] == [told(seat, table)["view"] for seat in table.seats]
    assert relayed["views"]["spectator"] == by_hash(table.spectator.get(table.path).json["view"])


def test_rounds_and_timeouts_carry_it_too(here: Service, clocked: Clock) -> None:
    table = here.create(seats=2, seed=SEED, starter=0, turn_seconds=5, rules={"rounds": 3})
    clocked.pass_seconds(6)
    late = table.app.post(f"{table.path}/timeouts?{BOTH}", match=1).json
    assert carried(late) == told(table.app, table)
    assert late["legal_moves"]["seat"] == 1
    forfeit = {"seat": None, "move": {"type": "forfeit", "seat": 0}}
    over = table.app.post(f"{table.path}/moves?{BOTH}", forfeit, match=2).json
    leaving = [{"type": "withdraw", "seat": seat} for seat in (0, 1)]
    assert over["legal_moves"] == {"seat": None, "moves": [{"type": "next_round"}, *leaving, {"type": "abort"}]}
    dealt = table.app.post(f"{table.path}/rounds?{BOTH}", match=3).json
    assert carried(dealt) == told(table.app, table)


def test_what_is_not_asked_for_is_as_it_was(one: Table) -> None:
    for path in (one.path, f"{one.path}/events"):
        assert not {"legal_moves", "views"} & one.app.get(path).json.keys()
    assert "view" not in one.app.get(f"{one.path}/events").json
    assert one.app.get(one.path).json["view"]["rules"]["points_cap"] == 61
    views = one.app.post(f"{one.path}/moves?include=views", {"seat": 0, "move": DRAW}, match=1).json
    assert all("rules" in view for view in (views["view"], views["views"]["spectator"], *views["views"]["seats"]))


def test_the_rules_stand_in_the_view_if_they_are_asked_for(one: Table) -> None:
    whole = one.seats[0].get(one.path).json["view"]
    for query in ("view,rules", "rules", "rules,legal_moves", "rules,view,view"):
        assert one.seats[0].get(f"{one.path}?include={query}").json["view"] == whole
    for query in ("view", "legal_moves", "legal_moves,view"):
        assert one.seats[0].get(f"{one.path}?include={query}").json["view"] == by_hash(whole)
    log = f"{one.path}/events?include="
    assert one.seats[0].get(f"{log}view,rules").json["view"] == whole
    assert one.seats[0].get(f"{log}legal_moves").json.keys() == {"game", "events", "version", "legal_moves"}
    assert one.seats[0].get(f"{log}rules").json.keys() == {"game", "events", "version"}


def test_the_referee_sees_the_state(one: Table) -> None:
    state = one.state()
    for path in (f"{one.path}?seat=referee&{BOTH}", f"{one.path}/events?seat=referee&{BOTH}"):
        body = one.app.get(path).json
        assert body["state"] == state
        assert "view" not in body
        assert body["legal_moves"]["seat"] is None
        assert {"type": "abort"} in body["legal_moves"]["moves"]


@pytest.mark.parametrize(
    "query", ["", "all", "views,vew", "view,", "view, legal_moves", "VIEW", "x" * 500, "%C3%A9", "view;rules"]
)
def test_another_name_is_refused_and_the_names_are_told(one: Table, query: str) -> None:
    calls = [one.app.get(f"{one.path}{each}?include={query}") for each in ("", "/events")]
    calls += [
        one.app.post(f"{one.path}/{each}?include={query}", body, match=1)
        for each, body in (("moves", {"seat": 0, "move": DRAW}), ("rounds", None), ("timeouts", None))
    ]
    calls.append(one.app.post(f"/v1/games?include={query}", {"game": "rummy", "seats": ["x", "y"]}))
    for answer in calls:
        problem = refused(answer, 422, "invalid_request", "?include")
        assert "view, legal_moves, rules, views" in problem["errors"][0]["detail"]
    assert one.version() == 1


def test_a_name_may_come_by_itself(one: Table) -> None:
    """As clients write lists that are generated from the description."""
    path = f"{one.path}/events?after=0"
    apart = one.seats[0].get(f"{path}&include=view&include=legal_moves")
    assert apart.json == one.seats[0].get(f"{path}&{BOTH}").json
    refused(one.seats[0].get(f"{path}&include=view&include=nope"), 422, "invalid_request", "?include")
    refused(one.seats[0].get(f"{path}&include=view&include=views"), 403, "forbidden")


def test_nobody_is_told_what_is_anothers(one: Table) -> None:
    for path in (one.path, f"{one.path}/events"):
        for query in ("views", "view,views", "views,nope"):
            refused(one.seats[0].get(f"{path}?include={query}"), 403, "forbidden")
            refused(one.spectator.get(f"{path}?include={query}"), 403, "forbidden")
        refused(one.seats[0].get(f"{path}?seat=1&{BOTH}"), 403, "forbidden")
        refused(one.spectator.get(f"{path}?{BOTH}"), 403, "forbidden")
        assert one.spectator.get(f"{path}?include=view").json["view"] == by_hash(
            one.spectator.get(one.path).json["view"]
        )
        refused(one.service.as_(None).get(f"{path}?{BOTH}"), 401, "unauthenticated")
    refused(one.seats[0].post(f"{one.path}/moves?include=views", {"move": DRAW}, match=1), 403, "forbidden")


def test_a_repeat_is_answered_as_the_first_time(table: Table) -> None:
    path = f"{table.path}/moves?{BOTH}"
    first = table.seats[0].post(path, {"move": DRAW}, match=1, key="k")
    table.app.post(f"{table.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=2)
    again = table.seats[0].post(path, {"move": DRAW}, match=1, key="k")
    assert (again.data, again.headers["ETag"], again.headers["Idempotent-Replayed"]) == (first.data, '"v2"', "true")
    refused(table.seats[0].post(f"{table.path}/moves", {"move": DRAW}, match=1, key="k"), 422, "key_reused")
    body = {"game": "swoop", "seats": ["x", "y"]}
    made = table.service.shop.post(f"/v1/games?{BOTH},views", body, key="c")
    assert table.service.shop.post(f"/v1/games?{BOTH},views", body, key="c").data == made.data
    assert len(made.json["views"]["seats"]) == 2


def test_a_match_that_is_over(one: Table) -> None:
    one.app.post(f"{one.path}/moves", {"seat": None, "move": {"type": "abort"}}, match=1)
    assert one.seats[1].get(f"{one.path}?{BOTH}").json["legal_moves"] == {"seat": 1, "moves": []}
    assert one.app.get(f"{one.path}/events?after=1&{BOTH}").json["legal_moves"] == {"seat": None, "moves": []}


def test_who_waits_is_told_at_once(table: Table) -> None:
    answers: list[Any] = []
    path = f"{table.path}/events?after=2&wait=20&{BOTH}"
    table.move(DRAW)
    waiters = [threading.Thread(target=lambda who=who: answers.append((who, who.get(path)))) for who in table.seats[1:]]
    for waiter in waiters:
        waiter.start()
    time.sleep(0.3)
    assert not answers
    card = table.state()["seats"][0]["hand"][0]
    table.seats[0].post(f"{table.path}/moves", {"move": {"type": "discard", "card": card}}, match=2)
    for waiter in waiters:
        waiter.join(10)
    assert len(answers) == 2
    for who, answer in answers:
        assert answer.json["version"] == 3
        assert carried(answer.json) == told(who, table)


def test_a_wait_in_vain_ends_with_the_table(one: Table) -> None:
    body = one.seats[0].get(f"{one.path}/events?after=1&wait=1&{BOTH}").json
    assert (body["events"], body["version"], carried(body)) == ([], 1, told(one.seats[0], one))


class Busy(Clock):
    """A store in which somebody moves between two reads."""

    between: list[Any] | None = None

    def events(self, id: str, after: int, limit: int, *by: Any) -> Page:
        if self.between:
            self.between.pop()()
        return super().events(id, after, limit, *by)


def test_events_and_view_are_of_one_version_whoever_moves_meanwhile(tmp_path: Any) -> None:
    store = Busy(tmp_path / "games.sqlite3", lifetimes=LIFETIMES)
    table = Service(store).create(seats=2, seed=SEED, starter=0)
    rng = random.Random(1)
    for moves in (1, 2, 3, 5):
        store.between = [lambda: table.play(rng, 1)] * moves
        after = table.version()
        body = table.seats[0].get(f"{table.path}/events?after={after}&{BOTH}").json
        assert body["events"]
        assert body["events"][-1]["version"] == body["version"] > after
        store.between = None
        plies = [table.seats[0].get(f"{table.path}/events?after={after}").json["events"], body["view"]["plies"]]
        moved = {event["version"] for event in plies[0] if event["version"] <= body["version"]}
        assert body["view"]["plies"] == after - 1 + len(moved)
    store.close()


def test_a_log_that_is_cut_carries_the_table_at_its_end_alone(one: Table) -> None:
    one.play(random.Random(2), 4)
    path = f"{one.path}/events?limit=2&{BOTH}&after="
    for after, at_end in ((0, False), (2, False), (3, True), (4, True), (5, True), (99, True)):
        body = one.seats[0].get(f"{path}{after}").json
        assert ("view" in body and "legal_moves" in body) is at_end, after
        assert body["version"] == min(after + 2, 5)


def test_moves_that_cannot_be_proved_in_time_are_null_and_nothing_fails(one: Table) -> None:
    class Slow(Naturals):
        def folds(self, *given: Any) -> Any:
            raise Undecided("a fold")

    game = GAMES["rummy"]
    state, _ = game.deal(2, game.rules.presets()["indian"], SEED, 0)
    state, _ = game.apply(state, 0, game.moves[0]("stock"), Slow())
    names = frozenset({"legal_moves"})
    found = included.moves(Stored(game, state, (0, 0)), None, names, Slow())
    assert found == {"legal_moves": {"seat": 0, "moves": None}}


# Rules by their hash ---------------------------------------------------------------------------------------------------


def test_the_rules_of_a_game_by_their_hash(table: Table) -> None:
    view = table.seats[0].get(table.path).json["view"]
    answer = table.service.other.get(f"/v1/rules/by-hash/{view['rules_hash']}")
    assert answer.json == {"game": "rummy", "rules_hash": view["rules_hash"], "rules": view["rules"]}
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    again = table.service.create(rules=answer.json["rules"])
    assert again.app.get(again.path).json["view"]["rules_hash"] == view["rules_hash"]


def test_the_rules_of_every_preset_by_their_hash(here: Service) -> None:
    for name, game in GAMES.items():
        for rules in game.rules.presets().values():
            answer = here.shop.get(f"/v1/rules/by-hash/{rules_hash(rules)}").json
            assert answer == {"game": name, "rules_hash": rules_hash(rules), "rules": to_json(rules)}


@pytest.mark.parametrize("hash", ["0" * 64, "0" * 63, "house", "A" * 64, "é", "%00", "0" * 5000, "..", "٣" * 64])
def test_a_hash_of_no_rules(here: Service, hash: str) -> None:
    assert "rules_hash" in refused(here.shop.get(f"/v1/rules/by-hash/{hash}"), 404, "not_found")["detail"]


def test_a_players_token_is_no_key(table: Table) -> None:
    view = table.seats[0].get(table.path).json["view"]
    refused(table.seats[0].get(f"/v1/rules/by-hash/{view['rules_hash']}"), 401, "unauthenticated")


class Forgetful(Clock):
    """A store that keeps games, and rules only once it is told to."""

    keeps = False

    def keep(self, hash: str, value: bytes) -> None:
        if not self.keeps:
            raise StoreUnavailable("no room")
        super().keep(hash, value)


@pytest.fixture
def forgetful(tmp_path: Any) -> Iterator[Forgetful]:
    store = Forgetful(tmp_path / "games.sqlite3", lifetimes=LIFETIMES)
    yield store
    store.close()


def test_views_hold_the_rules_where_they_cannot_be_kept(forgetful: Forgetful) -> None:
    """And so of games from before rules were kept: the first view that is told by the hash sees to it."""
    table = Service(forgetful).create(rules=RULES)
    view = table.seats[0].get(f"{table.path}?include=view").json["view"]
    assert view["rules"]["points_cap"] == 61
    path = f"/v1/rules/by-hash/{view['rules_hash']}"
    refused(table.app.get(path), 404, "not_found")
    forgetful.keeps = True
    assert "rules" not in table.seats[0].get(f"{table.path}?include=view").json["view"]
    assert table.app.get(path).json["rules"] == view["rules"]
