"""A grouping as an SVG picture: no script, no style, nothing from elsewhere; at most 14 cards, so at most some kilobytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from engine.cards import Card, Rank
from engine.rummy.melds import is_wild
from engine.rummy.rules import RummyRules
from engine.rummy.scoring import costs
from service.schemas.common import Chosen
from service.schemas.rummy_answers import Grouping

WIDTH = 640
_CARD, _GAP, _EDGE = (40, 56), 5, 16
_LABEL, _FOOT = 20, 20  # above and below the cards of a group
_COLOURS = {"S": "#1b1d1f", "H": "#c00d28", "D": "#0a58c2", "C": "#08703a", "W": "#6b3fa0"}
_KINDS = {"pure_sequence": "Pure sequence", "impure_sequence": "Impure sequence", "trio": "Trio"}
_FONT = 'font-family="Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif"'
_SYMBOL = re.compile(r'<symbol id="(\w)" viewBox="0 0 24 24">(.*?)</symbol>')

Box = tuple[str, Sequence[Card], Sequence[str]]  # what it is called, its cards, what each counts as


def drawn(grouping: Grouping, wild_rank: Rank | None, chosen: Chosen[RummyRules]) -> str:
    """The picture of a grouping."""
    parts, x, y = [], _EDGE, 62
    for box in _boxes(grouping, wild_rank, chosen.rules):
        width = max(_width(len(box[1])), 8 * len(box[0]))
        if x > _EDGE and x + width > WIDTH - _EDGE:
            x, y = _EDGE, y + _LABEL + _CARD[1] + _FOOT
        parts.append(_box(box, wild_rank, x, y))
        x += width + 20
    height = y + _LABEL + _CARD[1] + _FOOT + 30
    title = _title(grouping)
    note = f"wild rank: {_shown(wild_rank) if wild_rank else 'none'}; rules: {chosen.name}; {_proof(grouping)}"
    signs = "".join(f'<g id="{name}">{path}</g>' for name, path in _signs().items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" {_FONT}>'
        f"<title>{escape(title)}</title><desc>{escape(_words(grouping))}</desc><defs>{signs}</defs>"
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#fbfaf7" stroke="#d8d5cc"/>'
        f'<text x="{_EDGE}" y="38" font-size="20" font-weight="700" fill="#1b1d1f">{escape(title)}</text>'
        f"{''.join(parts)}"
        f'<text x="{_EDGE}" y="{height - 14}" font-size="12" fill="#575c61">{escape(note)}</text></svg>\n'
    )


def _title(grouping: Grouping) -> str:
    points = f"{grouping.points:g} {'point' if grouping.points == 1 else 'points'}"
    if grouping.points != grouping.points_uncapped:
        points += f" ({grouping.points_uncapped:g} before the cap)"
    can = {True: "can be declared", False: "cannot be declared", None: "declarable or not: not proved"}
    go = f"{'fold' if grouping.declarable else 'let go'} {_name(grouping.discard)}" if grouping.discard else ""
    return "; ".join(filter(None, (points, can[grouping.declarable], go)))


def _proof(grouping: Grouping) -> str:
    return "proved to be the best" if grouping.optimal else "not proved to be the best"


def _words(grouping: Grouping) -> str:
    """The grouping for those who hear it."""
    groups = [f"{_KINDS[group.kind]}: {' '.join(group.cards)}" for group in grouping.groups]
    return "; ".join([*groups, f"loose: {' '.join(grouping.loose) or 'none'}"])


def _boxes(grouping: Grouping, wild_rank: Rank | None, rules: RummyRules) -> Iterator[Box]:
    for group in grouping.groups:
        yield _KINDS[group.kind], group.cards, group.stands_for
    if grouping.loose:
        of_card = costs(wild_rank, rules)
        each = [of_card[card] for card in grouping.loose]
        # a flat count is no sum of the cards
        total = f"{grouping.points_uncapped:g}"
        sum_of = f"{' + '.join(map(str, each))} = " if len(each) > 1 and sum(each) == grouping.points_uncapped else ""
        yield f"Loose: {sum_of}{total}", grouping.loose, grouping.loose
    if grouping.discard:
        yield "Fold" if grouping.declarable else "Let go", (grouping.discard,), (grouping.discard,)


def _width(cards: int) -> int:
    return cards * (_CARD[0] + _GAP) - _GAP


def _box(box: Box, wild_rank: Rank | None, x: int, y: int) -> str:
    label, cards, stands_for = box
    parts = [f'<text x="{x}" y="{y + 13}" font-size="13" font-weight="700" fill="#1b1d1f">{escape(label)}</text>']
    for place, (card, stands) in enumerate(zip(cards, stands_for, strict=True)):
        parts.append(_card(card, wild_rank, x + place * (_CARD[0] + _GAP), y + _LABEL))
        if stands != card:
            middle, under = x + place * (_CARD[0] + _GAP) + _CARD[0] // 2, y + _LABEL + _CARD[1] + 14
            parts.append(_stand_in(stands, middle, under))
    return "".join(parts)


def _stand_in(stands: str, middle: int, y: int) -> str:
    if len(stands) == 1:  # in a trio: any suit
        return f'<text x="{middle}" y="{y}" font-size="12" text-anchor="middle" fill="#575c61">= any {_shown(stands)}</text>'
    colour, sign = _COLOURS[stands[1]], _sign(stands[1], middle + 8, y - 10, 11)
    text = (
        f'<text x="{middle + 6}" y="{y}" font-size="12" text-anchor="end" fill="{colour}">= {_shown(stands[0])}</text>'
    )
    return text + sign


def _card(card: Card, wild_rank: Rank | None, x: int, y: int) -> str:
    kind = card.suit or "W"
    rank = "JK" if card.rank is None else _shown(card.rank)
    fit = f' textLength="{22 if rank == "10" else 25}" lengthAdjust="spacingAndGlyphs"' if len(rank) > 1 else ""
    star = _sign("W", x + 26, y + 4, 11) if card.rank and is_wild(card, wild_rank) else ""
    return (
        f'<rect x="{x + 0.75}" y="{y + 0.75}" width="{_CARD[0] - 1.5}" height="{_CARD[1] - 1.5}" rx="5" fill="#fff" stroke="#8d8a82" stroke-width="1.5"/>'
        f'<text x="{x + 4}" y="{y + 21}" font-size="21" font-weight="700" fill="{_COLOURS[kind]}"{fit}>{rank}</text>'
        f"{_sign(kind, x + 11, y + 26, 26)}{star}"
    )


def _sign(kind: str, x: float, y: float, size: int) -> str:
    scale = f"{size / 24:.3f}"
    return f'<use href="#{kind}" transform="translate({x} {y}) scale({scale})" fill="{_COLOURS[kind]}"/>'


def _shown(rank: str) -> str:
    return "10" if rank == "T" else rank


def _name(card: Card) -> str:
    return (
        "JK" if card.rank is None else f"{_shown(card.rank)}{dict(zip('SHDC', '♠♥♦♣', strict=True))[card.suit or 'S']}"
    )


@cache
def _signs() -> dict[str, str]:
    """The signs of the suits, and the star of the wildcards: those of the pages."""
    found = _SYMBOL.findall((Path(__file__).parent / "assets/suits.svg").read_text(encoding="utf-8"))
    return dict(found)
