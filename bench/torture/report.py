"""What a scenario finds, and the table of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Tick = Callable[[], object]  # called after each unit of work, for the progress bar


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table: what was measured, what is required, and what went wrong (nothing, one hopes)."""

    scenario: str
    store: str
    figure: str
    required: str
    wrong: tuple[str, ...] = ()


def table(findings: Iterable[Finding]) -> str:
    """The findings below each other; under each that failed, the first things that went wrong."""
    rows = [(each.scenario, each.store, each.figure, each.required) for each in findings]
    widths = [max(map(len, column)) for column in zip(("scenario", "store", "figure", "required"), *rows, strict=True)]
    lines = [_line(("scenario", "store", "figure", "required"), widths) + "result"]
    for each, row in zip(findings, rows, strict=True):
        lines.append(_line(row, widths) + ("FAILED" if each.wrong else "ok"))
        lines += [f"    {what}" for what in each.wrong[:5]]
        if len(each.wrong) > 5:
            lines.append(f"    … and {len(each.wrong) - 5} more")
    return "\n".join(lines)


def _line(row: Iterable[str], widths: Iterable[int]) -> str:
    return "".join(f"{text:<{width + 2}}" for text, width in zip(row, widths, strict=True))
