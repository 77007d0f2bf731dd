"""The floor that the service is measured against: the same Flask and gunicorn with endpoints that validate an equal body by the
same schema and do nothing else, or one script call of equal size. Started by `bench.http`."""

from __future__ import annotations

import os

import orjson
import redis
from flask import Flask, Response, request
from marshmallow import Schema

from service.json.type_hints import Flaws
from service.schemas.fields import load
from service.schemas.games import MoveShape
from service.schemas.rummy import GroupingShape

# As much as the store's script writes: the game's hash, an entry of its log, the answer of the request.
SCRIPT = """
local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HSET', KEYS[1], 'blob', ARGV[1])
redis.call('XADD', KEYS[2], version .. '-0', 'events', ARGV[2])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], 86400000) end
return version
"""
BLOB, EVENTS, ANSWER = b"b" * 2500, b"e" * 400, b"a" * 1000


def create_app() -> Flask:
    """An app with the two floors."""
    app = Flask("floor", static_folder=None)
    grouping, move = GroupingShape(), MoveShape()
    store = redis.Redis.from_url(os.environ["CARDREF_STORE"]) if os.environ.get("CARDREF_STORE") else None
    script = store.register_script(SCRIPT) if store else None

    def validated(schema: Schema) -> None:
        flaws = Flaws()
        load(schema, orjson.loads(request.get_data(cache=False)), flaws)
        flaws.raise_any()

    @app.post("/v1/rummy/groupings")
    def groupings() -> Response:
        validated(grouping)
        return Response(b'{"points":0}', content_type="application/json")

    @app.post("/v1/games/<id>/moves")
    def moves(id: str) -> Response:
        validated(move)
        assert script is not None
        keys = [f"{{{id}}}:g", f"{{{id}}}:e", f"{{{id}}}:r"]
        version = script(keys, [BLOB, EVENTS, os.urandom(16).hex(), ANSWER])
        return Response(orjson.dumps({"version": version}), 201, content_type="application/json")

    return app
