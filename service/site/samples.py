"""A call as programs write it: in the shell, in Python, in TypeScript. What is printed runs as it is, against an address of its own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from service.http.operation import Operation
from service.site.recipes import Answer, Step, recipe

ADDRESS = "http://localhost:8000"
KEY = "CARDREF_KEY"  # the variable that holds the app's key
_WIDE = 90


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language writes a value."""

    null: str
    true: str
    false: str
    part: Callable[[Answer], str]  # of an earlier answer
    word: Callable[[str], str] = str  # a text in quotes, once more for where it stands
    bare: bool = False  # names of fields without quotes
    indent: str = "  "

    def write(self, value: Any) -> str:
        """The value; what is too wide for a line has one for each of its fields."""
        match value:
            case Answer():
                return self.part(value)
            case None:
                return self.null
            case bool():
                return self.true if value else self.false
            case Mapping():
                return self._within("{}", [f"{self._name(name)}: {self.write(each)}" for name, each in value.items()])
            case list() | tuple():
                return self._within(
                    "[]", [self.write(each) for each in value], flat=all(isinstance(each, str) for each in value)
                )
            case _:
                return self.word(json.dumps(value, ensure_ascii=False))

    def _name(self, name: str) -> str:
        return name if self.bare and name.isidentifier() else json.dumps(name)

    def _within(self, ends: str, parts: Sequence[str], flat: bool = False) -> str:
        space = " " if self.bare and ends == "{}" and parts else ""
        short = f"{ends[0]}{space}{', '.join(parts)}{space}{ends[1]}"
        if flat or (len(short) <= _WIDE and "\n" not in short):
            return short
        return ends[0] + ",".join(f"\n{self.indent}{_inner(part, self.indent)}" for part in parts) + "\n" + ends[1]


Form = Literal["json", "text", "file"]


def _form(operation: Operation) -> Form:
    """What the answer is to its reader."""
    if operation.media_type == "application/json":
        return "json"
    return "file" if operation.answer is bytes else "text"


def samples(operation: Operation, keyed: bool) -> list[dict[str, str]]:
    """The call in each language, as the description's `x-codeSamples`; `keyed`: the app's own calls carry its key."""
    steps = recipe(operation)
    needs_key = keyed and operation.needs_caller
    return [
        {"lang": lang, "label": label, "source": write(steps, _form(operation), needs_key)}
        for lang, label, write in (
            ("curl", "curl", _shell),
            ("python", "Python", _python),
            ("typescript", "TypeScript", _typescript),
        )
    ]


def _headers(step: Step) -> dict[str, str]:
    """Those that are the same in every language."""
    version = {"If-Match": f'"{step.version}"'} if step.version else {}
    return version | ({"Content-Type": "application/json"} if step.body is not None else {})


def _used(step: Step) -> list[Answer]:
    """The parts of earlier answers that a step needs."""
    found = [part for part in step.path if isinstance(part, Answer)]
    found += [step.token] if step.token else []
    return found + ([part for part in step.body.values() if isinstance(part, Answer)] if step.body else [])


# In the shell an answer is a variable, and jq takes it apart.


_SHELL = Dialect(
    "null", "true", "false", part=lambda part: f"'\"${part.name}\"'", word=lambda text: text.replace("'", "'\\''")
)


def _shell(steps: Sequence[Step], form: Form, needs_key: bool) -> str:
    lines: list[str] = []
    known: set[str] = set()
    for step in steps:
        for part in _used(step):
            if part.name not in known:
                known.add(part.name)
                way = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in part.way)
                raw = "-c" if part.name == "state" else "-r"
                lines.append(f'{part.name}=$(jq {raw} {shlex.quote(way)} <<< "${part.of}")')
        lines += [f"sleep {step.seconds}"] if step.seconds else []
        call = _curl(step, needs_key)
        if step.keep:
            lines.append(f"{step.keep}=$({call})")
        elif step is not steps[-1]:
            lines.append(f"{call} -o /dev/null")
        else:
            lines.append(
                f"{call} -o {str(step.path[-1]).rpartition('/')[2].partition('?')[0]}" if form == "file" else call
            )
    return "\n".join(lines)


def _curl(step: Step, needs_key: bool) -> str:
    address = ADDRESS + "".join(f"${part.name}" if isinstance(part, Answer) else part for part in step.path)
    method = f"-X {step.method} " if step.method != ("GET" if step.body is None else "POST") else ""
    words = [f"curl -s {method}{shlex.quote(address) if '$' not in address else chr(34) + address + chr(34)}"]
    token = f"${step.token.name}" if step.token else f"${KEY}" if needs_key else ""
    words += [f'-H "Authorization: Bearer {token}"'] if token else []
    words += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in _headers(step).items()]
    if step.body is not None:
        words.append(f"-d '{_SHELL.write(step.body)}'")
    return " \\\n  ".join(words)


def _python_part(part: Answer) -> str:
    return part.of + "".join(f"[{json.dumps(key)}]" for key in part.way)


_PYTHON = Dialect("None", "True", "False", part=_python_part, indent="    ")


def _python(steps: Sequence[Step], form: Form, needs_key: bool) -> str:
    seconds = any(step.seconds for step in steps)
    imports = [*(["import os"] if needs_key else []), *(["import time"] if seconds else []), "import requests"]
    lines = [
        "\n".join(imports).replace("import requests", "\nimport requests" if len(imports) > 1 else "import requests")
    ]
    lines += ["", f'url = "{ADDRESS}"']
    lines += [f'key = {{"Authorization": f"Bearer {{os.environ[\'{KEY}\']}}"}}'] if needs_key else []
    for step in steps:
        lines += [f"time.sleep({step.seconds})"] if step.seconds else []
        call = _requests(step, needs_key)
        if step.keep:
            lines.append(f"{step.keep} = {call}.json()")
        elif step is not steps[-1]:
            lines.append(call)
        else:
            lines += [f"answer = {call}", f"print(answer.{_shown(step, form, 'status_code', 'json()', 'text')})"]
    return "\n".join(lines)


def _requests(step: Step, needs_key: bool) -> str:
    path = "".join(f"{{{_python_part(part)}}}" if isinstance(part, Answer) else part for part in step.path)
    arguments = [f'f"{{url}}{path}"'.replace('["', "['").replace('"]', "']")]
    given = [f'"If-Match": \'"{step.version}"\''] if step.version else []
    if step.token:
        token = _python_part(step.token).replace('"', "'")
        given = [f'"Authorization": f"Bearer {{{token}}}"', *given]
    elif needs_key:
        given = ["**key", *given]
    if given:
        arguments.append("headers=key" if given == ["**key"] else f"headers={{{', '.join(given)}}}")
    if step.body is not None:
        arguments.append(f"json={_PYTHON.write(step.body)}")
    return f"requests.{step.method.lower()}({_listed(arguments)})"


def _script_part(part: Answer) -> str:
    return part.of + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in part.way)


_SCRIPT = Dialect("null", "true", "false", part=_script_part, bare=True)


def _typescript(steps: Sequence[Step], form: Form, needs_key: bool) -> str:
    lines = [f'const url = "{ADDRESS}";']
    lines += [f"const key = {{ Authorization: `Bearer ${{process.env.{KEY}}}` }};"] if needs_key else []
    for step in steps:
        if step.seconds:
            lines.append(f"await new Promise((done) => setTimeout(done, {step.seconds * 1000}));")
        call = _fetch(step, needs_key)
        if step.keep:
            lines.append(f"const {step.keep} = await (await {call}).json();")
        elif step is not steps[-1]:
            lines.append(f"await {call};")
        else:
            shown = _shown(
                step,
                form,
                "log(answer.status)",
                "dir(await answer.json(), { depth: null })",
                "log(await answer.text())",
            )
            lines += [f"const answer = await {call};", f"console.{shown};"]
    return "\n".join(lines)


def _fetch(step: Step, needs_key: bool) -> str:
    path = "".join(f"${{{_script_part(part)}}}" if isinstance(part, Answer) else part for part in step.path)
    options = [] if step.method == "GET" else [f'method: "{step.method}"']
    given = [
        f"{name if name.isalpha() else json.dumps(name)}: {json.dumps(value)}" for name, value in _headers(step).items()
    ]
    if step.token:
        given = [f"Authorization: `Bearer ${{{_script_part(step.token)}}}`", *given]
    elif needs_key:
        given = ["...key", *given]
    if given:
        options.append("headers: key" if given == ["...key"] else f"headers: {{ {', '.join(given)} }}")
    if step.body is not None:
        options.append(f"body: JSON.stringify({_SCRIPT.write(step.body)})")
    if not options:
        return f"fetch(`${{url}}{path}`)"
    return f"fetch(`${{url}}{path}`, {{\n" + "".join(f"  {_inner(option, '  ')},\n" for option in options) + "})"


def _shown(step: Step, form: Form, status: str, value: str, text: str) -> str:
    """What of the last answer is printed: a deletion has nothing but its status, a file nothing to read."""
    return status if step.method == "DELETE" or form == "file" else value if form == "json" else text


def _inner(text: str, indent: str) -> str:
    """What stands one level deeper."""
    return text.replace("\n", f"\n{indent}")


def _listed(arguments: Sequence[str]) -> str:
    """Arguments in one line, or each in one of its own."""
    short = ", ".join(arguments)
    if len(short) <= _WIDE and "\n" not in short:
        return short
    return "\n" + "".join(f"    {_inner(argument, '    ')},\n" for argument in arguments)
