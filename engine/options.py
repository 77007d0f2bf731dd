"""Rules as values: every number and every reading is a documented field, and presets are named sets of fields.

A game's rules are a frozen dataclass whose fields are made by `option`. From the same fields come the check of a
caller's rules (`resolve`), the answer of ``GET /v1/rules``, the schema in openapi.yaml and docs/rules.md (`describe`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Protocol, TypeVar, cast

from engine.cards import JOKER_TEXT, RANKS
from engine.errors import Flaw, InvalidRules, UnknownPreset, did_you_mean, escape

MAX_HINTS = 8  # more than a person mistypes; looking for near names takes time
POINT_NAMES = (*RANKS, JOKER_TEXT)


class Rules(Protocol):
    """What a game's rules value must be: a frozen dataclass of options, with its named presets."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def presets(cls) -> Mapping[str, Any]: ...

    def contradictions(self) -> tuple[Flaw, ...]:
        """Fields that are right alone and wrong together, as pointers to fields (``/opening_cards``)."""


R = TypeVar("R", bound=Rules)


@dataclass(frozen=True, slots=True)
class Option:
    """What may stand in a field. Exactly one of the kinds: `integer`, `boolean`, `choice`, `integers`, `pair`, `points`.

    `integers` is an ascending list without repeats, `pair` two ascending integers, `points` an object from each of `names` (the
    ranks and ``JK``) to points. `nullable` admits null as well; `sentence` is the field's documentation. `before`: the field is
    newer than rules that are kept somewhere, and this is its value there, given the values that they do have; without it,
    the field is in all of them.
    """

    kind: str
    section: str
    sentence: str
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    nullable: bool = False
    names: tuple[str, ...] = POINT_NAMES
    before: Callable[[Mapping[str, Any]], Any] | None = None

    def read(self, given: Any, pointer: str) -> Any:
        """A caller's JSON value as the field's frozen value; raises `InvalidRules` naming the place and what is allowed."""
        if given is None and self.nullable:
            return None
        match self.kind:
            case "boolean" if isinstance(given, bool):
                return given
            case "choice" if isinstance(given, str) and given in self.choices:
                return given
            case "integer" if self._is_number(given):
                return given
            case "integers" | "pair" if isinstance(given, list | tuple) and self._is_ascending(given):
                return tuple(given)
            case "points" if isinstance(given, Mapping) and self._is_points(given):
                return tuple(given[name] for name in self.names)
        raise InvalidRules(Flaw(pointer, f"must be {self.allowed()}"))

    def _is_number(self, given: Any) -> bool:
        return isinstance(given, int) and not isinstance(given, bool) and self.minimum <= given <= self.maximum

    def _is_ascending(self, given: list[Any] | tuple[Any, ...]) -> bool:
        if not given or not all(map(self._is_number, given)):
            return False
        steps = list(pairwise(given))
        if self.kind == "pair":
            return len(given) == 2 and given[0] <= given[1]
        return all(low < high for low, high in steps)

    def _is_points(self, given: Mapping[str, Any]) -> bool:
        return set(given) == set(self.names) and all(map(self._is_number, given.values()))

    def allowed(self) -> str:
        """What may stand here, in words."""
        span = f"from {self.minimum} to {self.maximum}"
        text = {
            "boolean": "true or false",
            "choice": "one of " + ", ".join(self.choices),
            "integer": f"a whole number {span}",
            "integers": f"a list of ascending whole numbers {span}",
            "pair": f"a list of two ascending whole numbers {span}",
            "points": f"an object with a whole number {span} for each of {', '.join(self.names)}",
        }[self.kind]
        return text + (", or null" if self.nullable else "")

    def schema(self) -> dict[str, Any]:
        """The field as JSON Schema (draft 2020-12)."""
        number: dict[str, Any] = {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}
        kinds: dict[str, dict[str, Any]] = {
            "boolean": {"type": "boolean"},
            "choice": {"type": "string", "enum": list(self.choices)},
            "integer": number,
            "integers": {"type": "array", "items": number, "minItems": 1, "uniqueItems": True},
            "pair": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
            "points": {
                "type": "object",
                "properties": dict.fromkeys(self.names, number),
                "required": list(self.names),
                "additionalProperties": False,
            },
        }
        schema = {**kinds[self.kind], "description": self.sentence}
        if self.nullable:
            schema["type"] = [schema["type"], "null"]
            if "enum" in schema:
                schema["enum"].append(None)
        return schema

    def write(self, value: Any) -> Any:
        """The field's value as JSON."""
        if value is not None and self.kind == "points":
            return dict(zip(self.names, value, strict=True))
        return list(value) if isinstance(value, tuple) else value


def option(kind: str, default: Any, section: str, sentence: str, **limits: Any) -> Any:
    """A documented dataclass field; `section` is the section of rules.md it comes from. See `Option` for kinds and limits."""
    return dataclasses.field(default=default, metadata={"option": Option(kind, section, sentence, **limits)})


@cache
def options(cls: type[Any]) -> Mapping[str, Option]:
    """The fields of a rules class, in order."""
    return {field.name: field.metadata["option"] for field in dataclasses.fields(cls)}


def resolve(cls: type[R], given: Any = None) -> R:
    """A caller's `rules`: None (the preset ``house``), a preset's name, or an object of fields with an optional ``preset``.

    Raises `UnknownPreset`, or `InvalidRules` with one flaw for each wrong field; pointers are relative to the rules.
    """
    if given is None or isinstance(given, str):
        return _preset(cls, "house" if given is None else given, "")
    if not isinstance(given, Mapping):
        raise InvalidRules(Flaw("", "must be a preset's name or an object of fields"))
    base = _preset(cls, given.get("preset", "house"), "/preset")
    return from_json(cls, {name: value for name, value in given.items() if name != "preset"}, base)


def _preset(cls: type[R], name: Any, pointer: str) -> R:
    presets = cls.presets()
    if not isinstance(name, str) or name not in presets:
        raise UnknownPreset(Flaw(pointer, f"no such preset; the presets are {', '.join(presets)}"))
    return cast(R, presets[name])


def to_json(rules: Rules) -> dict[str, Any]:
    """Resolved rules as JSON, every field."""
    return {name: field.write(getattr(rules, name)) for name, field in options(type(rules)).items()}


def from_json(cls: type[R], given: Mapping[str, Any], base: R | None = None) -> R:
    """Rules from JSON, every field: what `to_json` has written. With `base`, a caller's choice: the fields that differ from it.

    What was written before a field existed lacks it, and is read as it was meant then (`Option.before`). Raises `InvalidRules` with one flaw for each wrong field; pointers are relative to the rules.
    """
    known = options(cls)
    values: dict[str, Any] = {}
    flaws: list[Flaw] = []
    for name in {**known, **given} if base is None else given:
        if name not in known:
            hint = "" if base is None else _hint(name, known if len(flaws) < MAX_HINTS else ())
            flaws.append(Flaw(f"/{escape(name)}", f"no such field{hint}"))
        elif name not in given:
            if known[name].before is None:
                flaws.append(Flaw(f"/{name}", "is required"))
        else:
            try:
                values[name] = known[name].read(given[name], f"/{name}")
            except InvalidRules as wrong:
                flaws.extend(wrong.flaws)
    if flaws:
        raise InvalidRules(*flaws)
    if base is None:
        values |= {name: before(values) for name in known.keys() - values if (before := known[name].before)}
    rules = cls(**values) if base is None else cast(R, dataclasses.replace(cast(Any, base), **values))
    if against := rules.contradictions():
        raise InvalidRules(*against)
    return rules


def _hint(name: str, near: Iterable[str]) -> str:
    """Where a caller who chose a field that does not exist finds those that do."""
    return f"{did_you_mean(name, near) or ';'} GET /v1/rules lists them"


@lru_cache(maxsize=1024)  # callers choose the rules, and no two need choose the same
def rules_hash(rules: Rules, fields: frozenset[str] | None = None) -> str:
    """SHA-256 (hex) of the resolved rules as JSON with sorted keys and no spaces: equal rules, equal hash.

    `fields`: of these alone, the ones that there were when the rules were written.
    """
    told = to_json(rules)
    kept = told if fields is None else {name: told[name] for name in fields}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def describe(cls: type[Rules]) -> dict[str, Any]:
    """Presets and fields of a rules class as JSON: what ``GET /v1/rules`` answers for a game and docs/rules.md is made from."""
    house = cls.presets()["house"]
    fields = []
    for name, field in options(cls).items():
        entry: dict[str, Any] = {
            "name": name,
            "type": field.kind,
            "nullable": field.nullable,
            "default": field.write(getattr(house, name)),
            "allowed": field.allowed(),
            "section": field.section,
            "sentence": field.sentence,
        }
        if field.choices:
            entry["choices"] = list(field.choices)
        elif field.kind != "boolean":
            entry["minimum"], entry["maximum"] = field.minimum, field.maximum
        fields.append(entry)
    return {"presets": {name: to_json(rules) for name, rules in cls.presets().items()}, "fields": fields}
