"""Limits of apps: how they are counted, shared between instances, told, and refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from service import create_app
from service.callers.auth import digest
from service.callers.limits import BURST_SECONDS, Limits, Rate
from service.callers.rates import Level, Rates
from service.callers.redis_counts import RedisCounts
from service.config import Settings, WrongSetting
from service.http import allowance
from service.stores.errors import StoreUnavailable
from service.stores.room import BLOCK
from tests.servers import running, server_or_skip, wait_for
from tests.service.calls import GROUPINGS, HAND, refused

KEYS = (("shop", digest("s")), ("bar", digest("b")))
SHOP, BAR = {"Authorization": "Bearer s"}, {"Authorization": "Bearer b"}
GROUP = {"hand": HAND, "wild_rank": "7"}


class Clock:
    """Seconds that tests let pass."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def client_with(folder: Path, clock: Clock | None = None, **limits: int | None) -> FlaskClient:
    app = create_app(Settings(log="errors", data=folder, api_keys=KEYS, limits=Limits(**limits)))
    app.config["RATES"] = Rates(None, clock or Clock())
    return app.test_client()


def test_a_bucket() -> None:
    clock = Clock()
    rates = Rates(None, clock)
    assert [rates.take("a", "requests", 2).gave for _ in range(21)] == [True] * 20 + [False]
    assert rates.take("a", "requests", 2) == Level(False, 0, 1)
    assert rates.take("b", "requests", 2).gave
    assert rates.take("a", "solves", 2).gave
    clock.now += 1.5
    assert rates.take("a", "requests", 2) == Level(True, 2, 9)
    clock.now += 100
    assert rates.take("a", "requests", 2) == Level(True, 19, 1)
    clock.now -= 50
    assert rates.take("a", "requests", 2) == Level(True, 18, 1)
    assert rates.take("a", "requests", 3) == Level(True, 29, 1)  # another limit: another bucket


def test_what_is_larger_than_a_bucket_passes_when_it_is_full_and_is_paid_off() -> None:
    clock = Clock()
    rates = Rates(None, clock)
    assert rates.take("a", "solves", 10, 1000) == Level(True, 0, 100)
    assert rates.take("a", "solves", 10, 1) == Level(False, 0, 91)
    clock.now += 90.1
    assert rates.take("a", "solves", 10, 1).gave
    assert rates.take("a", "solves", 10, 1000) == Level(False, 0, 10)


@given(st.integers(1, 5), st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), max_size=40))
def test_no_more_passes_than_the_bucket_and_what_flows_in(a_second: int, asked: list[tuple[int, int]]) -> None:
    clock = Clock()
    rates = Rates(None, clock)
    given, largest = 0, 0
    for pause, cost in asked:
        clock.now += pause
        if rates.take("a", "requests", a_second, cost).gave:
            given += cost
            largest = max(largest, cost)
        assert given <= (clock.now - 100) * a_second + max(Rate(a_second).most, largest)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(server_or_skip(), tmp_path_factory.mktemp("redis")) as server:
        yield server.url


def test_two_instances_count_together(url: str) -> None:
    clock = Clock()
    first, second = (Rates(RedisCounts(url, "together:"), clock, pause=None) for _ in range(2))
    taken = sum(first.take("a", "requests", 1000).gave for _ in range(6000))
    assert taken == 6000
    first.share()
    assert second.take("a", "requests", 1000).left == 9999  # as it believes
    second.share()
    left = second.take("a", "requests", 1000).left
    assert 3990 <= left < 6000  # what the first took, less what has flown in since
    assert second.take("a", "requests", 1000, left + 1).gave is False


def test_instances_share_by_themselves(url: str) -> None:
    first, second = (Rates(RedisCounts(url, "themselves:")) for _ in range(2))
    first.take("a", "solves", 1, 10)

    def runs_dry() -> bool:
        return not second.take("a", "solves", 1, 1).gave

    wait_for(runs_dry, "the second instance to learn of the first's")


def test_debt_is_bounded(url: str) -> None:
    assert RedisCounts(url, "debt:").settle("a", "solves", Rate(10), 1e9) == -100


class Away:
    """A store that does not answer, until it does."""

    def __init__(self) -> None:
        self.told: list[float] = []
        self.here = False

    def settle(self, name: str, kind: str, rate: Rate, spent: float) -> float:
        if not self.here:
            raise StoreUnavailable("nobody answers")
        self.told.append(spent)
        return rate.most - spent


def test_without_the_store_each_process_counts_for_itself_and_says_so_once() -> None:
    away = Away()
    rates = Rates(away, Clock(), pause=None)
    with capture_logs() as logs:
        for _ in range(3):
            assert rates.take("a", "requests", 1).gave
            rates.share()
        assert [line["event"] for line in logs] == ["limits_unshared"]
        away.here = True
        assert rates.take("a", "requests", 1) == Level(True, 6, 4)
        rates.share()
        rates.share()
    assert away.told == [1.0]  # what was spent meanwhile is not owed, and nothing is told twice


def test_refused_with_the_time_to_wait(tmp_path: Path) -> None:
    clock = Clock()
    client = client_with(tmp_path, clock, requests=1)
    for number in range(BURST_SECONDS):
        answer = client.get("/v1/rules", headers=SHOP)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"requests";q=10;w=10'
        assert answer.headers["RateLimit"] == f'"requests";r={9 - number};t={number + 1}'
    answer = client.get("/v1/rules", headers=SHOP)
    problem = refused(answer, 429, "rate_limited")
    assert "1 calls a second" in problem["detail"]
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["RateLimit"] == '"requests";r=0;t=1'
    assert client.get("/v1/rules", headers=BAR).status_code == 200
    assert client.get("/healthz").status_code == 200
    refused(client.get("/v1/rules"), 401, "unauthenticated")
    clock.now += 1
    assert client.get("/v1/rules", headers=SHOP).status_code == 200
    counted = client.get("/metrics").get_data(as_text=True)
    assert 'cardref_limited_total{app="shop",limit="requests"} 1.0' in counted


def test_solves_are_hands(tmp_path: Path) -> None:
    client = client_with(tmp_path, solves=1)

    def left(path: str, body: Any) -> str:
        answer = client.post(path, json=body, headers=SHOP)
        assert answer.status_code == 200, answer.text
        return str(answer.headers["RateLimit"]).split(", ")[-1].split(";")[1]

    assert left(GROUPINGS, GROUP) == "r=9"
    assert left(f"{GROUPINGS}/batch", {"wild_rank": "7", "hands": [HAND, HAND, ["no"]]}) == "r=6"
    assert left("/v1/rummy/declarations", {"wild_rank": "7", "groups": [HAND[:3]]}) == "r=5"
    seats = [{}, {"hand": HAND}, {"status": "packed_later"}, {"hand": HAND}]
    assert left("/v1/rummy/scores", {"wild_rank": "7", "winner": 0, "seats": seats, "rules": {"decks": 4}}) == "r=3"
    refused(client.post(GROUPINGS, json={"hand": HAND}, headers=SHOP), 422, "invalid_request")  # costs no solve
    answer = client.post(f"{GROUPINGS}/batch", json={"wild_rank": "7", "hands": [HAND] * 4}, headers=SHOP)
    refused(answer, 429, "rate_limited")
    assert answer.headers["RateLimit-Policy"] == '"requests";q=5000;w=10, "solves";q=10;w=10'
    assert left(GROUPINGS, GROUP) == "r=2"


def test_players_count_for_their_app_and_are_not_told_how_busy_it_is(tmp_path: Path) -> None:
    client = client_with(tmp_path, requests=1)
    made = client.post("/v1/games", json={"game": "swoop", "seats": ["a", "b"]}, headers=SHOP)
    seat = {"Authorization": f"Bearer {made.json['seats'][0]['token']}"}
    path = f"/v1/games/{made.json['id']}"
    for _ in range(8):
        answer = client.get(path, headers=seat)
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers
    assert client.get(path, headers=SHOP).headers["RateLimit"] == '"requests";r=0;t=10'
    move = {"move": {"type": "flip", "slot": 0}}
    for answer in (
        client.get(path, headers=seat),
        client.post(f"{path}/moves", json=move, headers={**seat, "If-Match": '"v1"'}),
    ):
        refused(answer, 429, "rate_limited")
        assert answer.headers["Retry-After"] == "1"
        assert "RateLimit" not in answer.headers
    refused(client.get(path, headers=SHOP), 429, "rate_limited")
    refused(client.get(path, headers=BAR), 404, "not_found")


def test_a_move_counts_once_whether_guessed_or_not(tmp_path: Path) -> None:
    client = client_with(tmp_path)
    made = client.post("/v1/games", json={"game": "swoop", "seats": ["a", "b"]}, headers=SHOP).json
    abort = {"seat": None, "move": {"type": "abort"}}
    path = f"/v1/games/{made['id']}/moves"
    refused(
        client.post(path, json={"seat": 7, "move": {}}, headers={**SHOP, "If-Match": '"v1"'}), 422, "invalid_request"
    )
    done = client.post(path, json=abort, headers={**SHOP, "If-Match": '"v1"'})
    assert done.status_code == 201
    assert done.headers["RateLimit"] == '"requests";r=4997;t=1'


def test_only_so_many_wait(tmp_path: Path) -> None:
    client = client_with(tmp_path, waiters=1)
    made = client.post("/v1/games", json={"game": "swoop", "seats": ["a", "b"]}, headers=SHOP).json
    with client.application.app_context():
        gives = [allowance.take_place("shop"), allowance.take_place("bar")]
        answer = client.get(f"/v1/games/{made['id']}/events?after=1&wait=20", headers=SHOP)  # answered at once
        assert answer.json == {"game": "swoop", "events": [], "version": 1}
        assert allowance.take_place("shop") is None
        for give in gives:
            assert give is not None
            give()
        assert allowance.take_place("shop") is not None


def test_only_so_many_games_are_live(tmp_path: Path) -> None:
    client = client_with(tmp_path, games=2)
    game = {"game": "swoop", "seats": ["a", "b"]}
    made = [client.post("/v1/games", json=game, headers=SHOP) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    refused(made[2], 429, "rate_limited")
    assert made[2].headers["Retry-After"] == "60"
    refused(client.post("/v1/games", json={}, headers=SHOP), 422, "invalid_request")
    assert client.post("/v1/games", json=game, headers=BAR).status_code == 201
    assert client.delete(f"/v1/games/{made[0].json['id']}", headers=SHOP).status_code == 204
    assert client.post("/v1/games", json=game, headers=SHOP).status_code == 201


def test_only_so_much_is_stored(tmp_path: Path) -> None:
    client = client_with(tmp_path, bytes=2 * BLOCK)
    game = {"game": "swoop", "seats": ["a", "b"]}
    ids = [client.post("/v1/games", json=game, headers=SHOP).json["id"] for _ in range(2)]
    answer = client.post("/v1/games", json=game, headers=SHOP)
    problem = refused(answer, 429, "rate_limited")
    assert problem["detail"].startswith("The app's games may take 32,768 bytes, and take 32,768: ")
    assert answer.headers["Retry-After"] == "60"
    counted = client.get("/metrics").get_data(as_text=True)
    assert 'cardref_limited_total{app="shop",limit="bytes"} 1.0' in counted
    end = {"seat": None, "move": {"type": "abort"}}
    moved = client.post(f"/v1/games/{ids[0]}/moves", json=end, headers={**SHOP, "If-Match": '"v1"'})
    assert moved.status_code == 201  # what is under way goes on
    assert client.post("/v1/games", json=game, headers=BAR).status_code == 201
    assert client.post("/v1/games", json=game, headers=SHOP).status_code == 429  # what is over is kept


class Asked:
    """A store that notes how often it is asked for the number of games."""

    def __init__(self) -> None:
        self.asked = 0

    def live(self, owner: str) -> int:
        self.asked += 1
        return 0

    def stored(self, owner: str) -> int:
        return self.live(owner)


def test_the_store_is_seldom_asked_where_there_is_room(tmp_path: Path) -> None:
    app = client_with(tmp_path, games=6400).application
    store = app.config["STORE"] = Asked()
    with app.app_context():
        for _ in range(202):
            allowance.charge_game("shop")
    assert store.asked == 4  # twice for the number, twice for the bytes


def test_open_mode_has_no_limits_unless_some_are_chosen(tmp_path: Path) -> None:
    client = create_app(Settings(log="errors", data=tmp_path)).test_client()
    assert "RateLimit" not in client.get("/v1/rules").headers
    client = create_app(Settings(log="errors", data=tmp_path, limits=Limits(requests=3))).test_client()
    assert client.get("/v1/rules").headers["RateLimit"] == '"requests";r=29;t=1'


def test_the_variable() -> None:
    read: Callable[[str], Limits | None] = lambda text: Settings.from_environment({"CARDREF_LIMITS": text}).limits  # noqa: E731
    assert read("") is None
    assert read("requests=7, waiters=none") == Limits(requests=7, waiters=None)
    with pytest.raises(WrongSetting, match=r"^CARDREF_LIMITS needs a whole number from 1, or none, for solves"):
        read("solves=0")


@pytest.fixture(autouse=True)
def _plain_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()
