"""The numbers and readings of 13-card rummy that concern the rounds of a match, but for their scores, as documented fields (rules.md §1.1–§1.5, §1.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import InPlay
from engine.errors import Flaw
from engine.hashed import HashedOnce
from engine.options import option


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRules(HashedOnce):
    """The rules of a round but for its scores, and how many rounds there are; defaults are the preset `house`."""

    __hash__ = HashedOnce.__hash__

    decks: int | None = option(
        "integer", None, "1.1", "Decks merged for the deal; null: as many as one_deck_up_to and two_decks_up_to say, three above.",
        minimum=1, maximum=6, nullable=True,
    )  # fmt: skip
    one_deck_up_to: int = option(
        "integer", 3, "1.1", "Up to this many players one deck is used (0: never).", minimum=0, maximum=10
    )
    two_decks_up_to: int = option(
        "integer", 6, "1.1", "Up to this many players two decks are used; more play with three.", minimum=0, maximum=10
    )
    printed_jokers_per_deck: int = option(
        "integer", 2, "1.1", "Printed jokers in each deck; always wild.", minimum=0, maximum=4
    )
    printed_jokers: int | None = option(
        "integer", None, "1.1", "Printed jokers in all, whatever the number of decks; null: printed_jokers_per_deck counts.",
        minimum=0, maximum=24, nullable=True,
    )  # fmt: skip
    exposed_joker: str = option(
        "choice", "redraw", "1.1",
        "If the card turned up for the wild rank is a printed joker: put it back at the bottom and turn the next (redraw), "
        "aces are wild (aces_wild), or no rank is (jokers_only).",
        choices=("redraw", "aces_wild", "jokers_only"),
    )  # fmt: skip
    wild_at_own_place: bool = option(
        "boolean", True, "1.1",
        "A card of the wild rank at its own place is a natural card: it may stand in a pure sequence, a trio or a triple "
        "and does not count as a wild.",
    )  # fmt: skip
    triple_is_pure_sequence: bool = option(
        "boolean", True, "1.2", "Three cards with the same face are a pure sequence of length 3."
    )
    max_wilds_per_sequence: int | None = option(
        "integer",
        2,
        "1.2",
        "Wildcards that one impure sequence may hold; null: any number.",
        minimum=1,
        maximum=12,
        nullable=True,
    )
    min_naturals_per_sequence: int = option(
        "integer", 1, "1.2", "Natural cards that an impure sequence must hold.", minimum=1, maximum=13
    )
    trio_sizes: tuple[int, ...] = option(
        "integers", (3,), "1.2", "How many cards of one rank make a trio.", minimum=3, maximum=13
    )
    max_wilds_per_trio: int | None = option(
        "integer", 1, "1.2", "Wildcards that one trio may hold beside at least one natural card; null: any number.",
        minimum=0, maximum=12, nullable=True,
    )  # fmt: skip
    trio_suits_distinct: bool = option(
        "boolean",
        False,
        "1.2",
        "The natural cards of a trio must differ in suit. If not, only natural cards of one face alone are no trio.",
    )
    wildcards_alone: str = option(
        "choice", "none", "1.2",
        "What three or more wildcards without a natural card are: no group (none), a trio (trio) or an impure sequence "
        "(impure_sequence) of a size that such a group may have, whatever their faces and however many wildcards another group may hold.",
        choices=("none", "trio", "impure_sequence"),
        before=lambda _: "none",
    )  # fmt: skip
    opening_cards: tuple[int, int] | None = option(
        "pair", (6, 7), "1.3",
        "A declaration needs a pure sequence and another sequence which together hold this many cards, from the first number to "
        "the second; null: no such condition. [7, 13] means: one of the two has four or more.",
        minimum=6, maximum=13, nullable=True,
    )  # fmt: skip
    max_trios: int | None = option(
        "integer", 2, "1.3", "Trios that a declaration may hold; null: any number. What counts in a score is max_trios_scored.",
        minimum=0, maximum=4, nullable=True,
    )  # fmt: skip
    invalid_declaration: str = option(
        "choice", "reject", "1.3",
        "A declaration that fails is refused as an illegal move (reject), or accepted and punished: the player leaves the round (penalty).",
        choices=("reject", "penalty"),
    )  # fmt: skip
    invalid_declaration_points: int = option(
        "integer", 80, "1.3", "What a failed declaration costs under penalty.", minimum=0, maximum=1000
    )
    declaration_judged: str = option(
        "choice", "groups", "1.3",
        "Under penalty, where groups are sent with a declaration: they are judged as sent (groups), or the hand is, whatever the groups (hand).",
        choices=("groups", "hand"),
    )  # fmt: skip
    may_discard_taken_card: bool = option(
        "boolean", False, "1.4",
        "The card just taken from the discard pile may be discarded in the same turn, even if no other copy of it was held.",
    )  # fmt: skip
    may_take_discarded_wild: bool = option(
        "boolean", True, "1.4",
        "A wildcard may be taken from the discard pile; if not, only where it is the card that started the pile.",
    )  # fmt: skip
    max_turns: int = option(
        "integer",
        500,
        "1.4",
        "Turns in a round (a pack is a turn) after which it ends without a winner.",
        minimum=1,
        maximum=10000,
    )
    pack_first: int = option(
        "integer", 20, "1.5", "Points for packing on the own first turn of a round.", minimum=0, maximum=1000
    )
    pack_later: int = option("integer", 40, "1.5", "Points for packing on a later turn.", minimum=0, maximum=1000)
    first_pack_under_stock: bool = option(
        "boolean", True, "1.5",
        "The cards of a player who packs on the first turn are shuffled and put under the stock; if not, they leave the round.",
    )  # fmt: skip
    rounds: int | None = option(
        "integer", None, "1.7", "Rounds of a match, unless target_points is set; null: one for each player.",
        minimum=1, maximum=1000, nullable=True,
    )  # fmt: skip
    target_points: int | None = option(
        "integer", None, "1.7", "The match ends after the round in which a total reaches this; null: rounds counts.",
        minimum=1, maximum=100000, nullable=True,
    )  # fmt: skip

    def _round_contradictions(self) -> Iterator[Flaw]:
        if self.one_deck_up_to > self.two_decks_up_to:
            yield Flaw("/one_deck_up_to", f"must not be above two_decks_up_to ({self.two_decks_up_to})")

    def in_play(self, seats: int) -> InPlay:
        """The cards that so many seats are dealt from (§1.1): what the deal and every check of copies go by."""
        decks = self.decks
        if decks is None:
            decks = 1 if seats <= self.one_deck_up_to else 2 if seats <= self.two_decks_up_to else 3
        return InPlay(decks, self.jokers_in(decks))

    def jokers_in(self, decks: int) -> int:
        """Printed jokers in play with so many decks (§1.1)."""
        return self.printed_jokers_per_deck * decks if self.printed_jokers is None else self.printed_jokers
