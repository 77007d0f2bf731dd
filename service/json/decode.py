"""JSON -> values: readers compiled once for each type hint (see `service.json.codec`)."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import orjson

from engine.cards import FACES, Card, UnknownCard, parse_card
from engine.errors import InvalidRules, escape
from engine.options import from_json
from service.json.type_hints import Flaws, Read, Reader, members, tag_of


def _reader(hint: Any) -> Reader:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value, at, flaws: value
    if hint is Card:
        return _read_card
    if hint in SCALARS:
        return _scalar(*SCALARS[hint])
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is tuple:
        if arguments == (Card, ...):
            return _read_cards
        return _list(reader(arguments[0])) if arguments[-1] is ... else _fixed(tuple(map(reader, arguments)))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(reader(arguments[0]), reader(arguments[1]))
    if hasattr(hint, "presets"):
        return _rules(hint)
    return _record(hint)


reader: Callable[[Any], Reader] = cache(_reader)

SCALARS: dict[Any, tuple[str, tuple[type, ...]]] = {
    int: ("a whole number", (int,)),
    float: ("a number", (int, float)),
    bool: ("true or false", (bool,)),
    str: ("a text", (str,)),
    type(None): ("null", (type(None),)),
}


def _scalar(what: str, kinds: tuple[type, ...]) -> Reader:
    def read_scalar(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) not in kinds:  # not isinstance: true is no 1
            flaws.add(at, f"must be {what}")
        return value

    return read_scalar


_FACES = {str(card): card for card in FACES}


def _read_card(value: Any, at: str, flaws: Flaws) -> Any:
    try:
        return parse_card(value)
    except UnknownCard as wrong:
        flaws.add(at, str(wrong), "unknown_card")


def _read_cards(value: Any, at: str, flaws: Flaws) -> Any:
    if type(value) is not list:
        flaws.add(at, 'must be a list of cards, such as ["5H", "TD", "JK"]')
        return None
    try:
        return tuple([_FACES[face] for face in value])
    except (KeyError, TypeError):  # another spelling, or no card
        return tuple([_read_card(face, f"{at}/{place}", flaws) for place, face in enumerate(value)])


def _literal(allowed: tuple[Any, ...]) -> Reader:
    what = " or ".join(str(each) for each in allowed)

    def read_literal(value: Any, at: str, flaws: Flaws) -> Any:
        for each in allowed:
            if type(each) is type(value) and each == value:
                return each
        flaws.add(at, f"must be {what}")
        return None

    return read_literal


def _list(item: Reader) -> Reader:
    def read_list(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not list:
            flaws.add(at, "must be a list")
            return None
        return tuple([item(each, f"{at}/{place}", flaws) for place, each in enumerate(value)])

    return read_list


def _fixed(items: tuple[Reader, ...]) -> Reader:
    def read_fixed(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not list or len(value) != len(items):
            flaws.add(at, f"must be a list of {len(items)}")
            return None
        return tuple([item(value[place], f"{at}/{place}", flaws) for place, item in enumerate(items)])

    return read_fixed


def _mapping(key: Reader, item: Reader) -> Reader:
    def read_mapping(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not dict:
            flaws.add(at, "must be an object")
            return None
        return {
            key(name, f"{at}/{escape(name)}", flaws): item(each, f"{at}/{escape(name)}", flaws)
            for name, each in value.items()
        }

    return read_mapping


def _annotated(hint: Any, notes: tuple[Any, ...]) -> Reader:
    return next((note.read for note in notes if isinstance(note, Read)), None) or reader(hint)


def _union(parts: tuple[Any, ...]) -> Reader:
    rest = tuple(part for part in parts if part is not type(None))
    tagged = {tag: reader(part) for part in rest if (tag := tag_of(part))}
    inner = _tagged(tagged) if len(rest) > 1 and len(tagged) == len(rest) else _first_of(tuple(map(reader, rest)))
    if len(rest) == len(parts):
        return inner

    def read_nullable(value: Any, at: str, flaws: Flaws) -> Any:
        return None if value is None else inner(value, at, flaws)

    return read_nullable


def _first_of(readers: tuple[Reader, ...]) -> Reader:
    """A union without tags: the first member that reads the value; if none does, the first one says what is wrong."""
    if len(readers) == 1:
        return readers[0]

    def read_first_of(value: Any, at: str, flaws: Flaws) -> Any:
        tried = []
        for each in readers:
            found = Flaws()
            result = each(value, at, found)
            if not found:
                return result
            tried.append(found)
        flaws.extend(tried[0])
        return None

    return read_first_of


def _tagged(readers: Mapping[str, Reader]) -> Reader:
    what = ", ".join(readers)

    def read_tagged(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not dict:
            flaws.add(at, "must be an object")
            return None
        tag = value.get("type")
        chosen = readers.get(tag) if isinstance(tag, str) else None
        if chosen is None:
            flaws.add(f"{at}/type", f"must be one of {what}")
            return None
        return chosen(value, at, flaws)

    return read_tagged


def _record(cls: Any) -> Reader:
    if not hasattr(cls, "__dataclass_fields__"):
        raise TypeError(f"no codec for {cls!r}")
    fields = tuple((field, reader(field.hint)) for field in members(cls))
    tag = tag_of(cls)
    known = dict.fromkeys([*(("type",) if tag else ()), *(field.name for field, _ in fields)])

    def read_record(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not dict:
            flaws.add(at, "must be an object")
            return None
        before = len(flaws)
        found = {}
        for field, read_field in fields:
            if field.name in value:
                found[field.attribute] = read_field(value[field.name], f"{at}/{field.name}", flaws)
            elif not field.optional:
                flaws.add(f"{at}/{field.name}", "is required")
        if not value.keys() <= known.keys():
            for name in value:
                if name not in known:
                    flaws.add(f"{at}/{escape(name)}", f"no such field; the fields are {', '.join(known)}")
        return cls(**found) if len(flaws) == before else None

    return read_record


def _rules(cls: Any) -> Reader:
    """Resolved rules: every field must be there (a caller's own choice of rules is read by `engine.options.resolve`)."""

    @lru_cache(maxsize=256)
    def resolved(text: bytes) -> Any:
        return from_json(cls, orjson.loads(text))

    def read_rules(value: Any, at: str, flaws: Flaws) -> Any:
        if type(value) is not dict:
            flaws.add(at, "must be an object")
            return None
        try:
            return resolved(orjson.dumps(value))  # the same rules come with every move of a match
        except InvalidRules as wrong:
            flaws.take(wrong, at)
            return None

    return read_rules
