"""A second counter of matches, written from rules.md §1.9 alone, naively: what `engine.match` is compared with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.rummy.rules import RummyRules


class Refused(Exception):
    """What cannot happen in a match."""


class Counter:
    """A match, counted with plain dictionaries; `report` is what the service answers."""

    def __init__(self, seats: int, rules: RummyRules) -> None:
        self.rules = rules
        self.seats = [
            {"total": 0, "chips": 0, "status": "in", "rejoins": 0, "out_since": None, "took_part": False}
            for _ in range(seats)
        ]
        if rules.format == "deals":
            for seat in self.seats:
                seat["chips"] = rules.chips_per_deal * (rules.deals or 0)
        self.played = 0
        self.tied: list[int] = []
        self.broken = 0  # tie-break deals
        self.back: list[int] = []  # rejoined in this pause
        self.winners: list[int] = []
        self.reason: str | None = None
        self.shares: list[Fraction] = []

    def those_in(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat["status"] == "in"]

    def dealt(self) -> list[int]:
        if self.reason:
            return []
        return self.tied or self.those_in()

    def pot(self) -> int:
        return len(self.seats) + sum(seat["rejoins"] for seat in self.seats)

    # A round, in the order of the text.

    def round(self, points: list[int | None], winner: int | None, left: list[int]) -> None:
        if self.reason:
            raise Refused
        dealt = self.dealt()
        if len(points) != len(self.seats) or any((each is None) != (at not in dealt) for at, each in enumerate(points)):
            raise Refused
        if any(each is not None and each < 0 for each in points):
            raise Refused
        if winner is not None and (winner not in dealt or points[winner] != 0):
            raise Refused
        if len(set(left)) != len(left) or not set(left) < set(self.those_in()):
            raise Refused
        self.played += 1
        self.back = []
        was_tie = bool(self.tied)
        for at in dealt:
            self.seats[at]["total"] += points[at]
            if winner is not None:
                self.seats[at]["chips"] -= points[at]
                self.seats[winner]["chips"] += points[at]
        for at in left:
            self.seats[at].update(status="withdrawn", out_since=self.played)
        if was_tie:
            self.broken += 1
        if len(self.those_in()) == 1:
            self.win(self.those_in(), "last_in")
        elif self.rules.format == "pool":
            self.pool()
        elif self.rules.format == "deals":
            if self.played >= (self.rules.deals or 0):
                self.most_chips()
        else:
            self.by_rounds()

    def pool(self) -> None:
        fallen = [at for at in self.those_in() if self.seats[at]["total"] >= (self.rules.pool_limit or 0)]
        for at in fallen:
            self.seats[at].update(status="out", out_since=self.played)
        if len(self.those_in()) == 1:
            self.win(self.those_in(), "last_in")
        elif not self.those_in():
            least = min(self.seats[at]["total"] for at in fallen)
            self.win([at for at in fallen if self.seats[at]["total"] == least], "last_in")
        else:
            self.automatic()

    def automatic(self) -> None:
        if self.rules.format == "pool" and self.rules.pool_split in ("automatic", "both"):
            few = len(self.seats) >= 3 and len(self.those_in()) in (2, 3)
            if few and all(self.seats[at]["total"] >= self.rules.pool_split_total for at in self.those_in()):
                self.win(self.those_in(), "split_automatic")

    def most_chips(self) -> None:
        deciding = [at for at in self.tied if at in self.those_in()] or self.those_in()
        most = max(self.seats[at]["chips"] for at in deciding)
        self.tied = [at for at in deciding if self.seats[at]["chips"] == most]
        if len(self.tied) > 1:
            for at in self.tied:
                self.seats[at]["took_part"] = True
        if len(self.tied) == 1 or self.broken >= self.rules.tie_break_deals:
            self.win(self.tied, "chips")

    def by_rounds(self) -> None:
        totals = {at: self.seats[at]["total"] for at in self.those_in()}
        if self.rules.target_points is not None:
            over, reason = max(totals.values()) >= self.rules.target_points, "target"
        else:
            over, reason = self.played == (self.rules.rounds or len(self.seats)), "rounds"
        if over:
            self.win([at for at in totals if totals[at] == min(totals.values())], reason)

    # The pause.

    def highest(self) -> int | None:
        staying = [self.seats[at]["total"] for at in self.those_in() if at not in self.back]
        return max(staying) if staying else None

    def may_rejoin(self, at: int) -> bool:
        seat, rules, highest = self.seats[at], self.rules, self.highest()
        return bool(
            not self.reason
            and rules.format == "pool"
            and seat["status"] == "out"
            and seat["out_since"] == self.played
            and (rules.pool_rejoins is None or seat["rejoins"] < rules.pool_rejoins)
            and rules.pool_rejoin_ceiling is not None
            and highest is not None
            and highest <= rules.pool_rejoin_ceiling
        )

    def rejoin(self, at: int) -> None:
        if at not in range(len(self.seats)) or not self.may_rejoin(at):
            raise Refused
        self.seats[at].update(status="in", total=self.highest() + 1, rejoins=self.seats[at]["rejoins"] + 1)
        self.back.append(at)

    def withdraw(self, at: int) -> None:
        if self.reason or at not in self.those_in() or len(self.those_in()) < 2:
            raise Refused
        self.seats[at].update(status="withdrawn", out_since=self.played)
        if len(self.those_in()) == 1:
            self.win(self.those_in(), "last_in")
        elif at in self.tied:
            self.most_chips()
        else:
            self.automatic()

    def drops_left(self, at: int) -> int | None:
        rules = self.rules
        if rules.format != "pool" or at not in self.those_in() or not rules.packing or rules.pack_first == 0:
            return None
        drops = 0
        while self.seats[at]["total"] + (drops + 1) * rules.pack_first < rules.pool_limit:
            drops += 1
        return drops

    def split_shares(self) -> dict[int, Fraction] | None:
        seats = self.those_in()
        if self.reason or self.rules.format != "pool" or self.rules.pool_split not in ("manual", "both"):
            return None
        if not self.played or len(self.seats) < 3 or len(seats) not in (2, 3):
            return None
        drops = [self.drops_left(at) or 0 for at in seats]
        more = [each - min(drops) for each in drops]
        if sum(more) >= self.pot():
            return None
        return {at: Fraction(self.pot() - sum(more), len(seats)) + own for at, own in zip(seats, more, strict=True)}

    def split(self) -> None:
        shares = self.split_shares()
        if shares is None:
            raise Refused
        self.win(list(shares), "split_manual")
        self.shares = [shares.get(at, Fraction(0)) for at in range(len(self.seats))]

    # The end.

    def win(self, seats: list[int], reason: str) -> None:
        self.winners, self.reason = seats, reason
        self.shares = [Fraction(self.pot() * (at in seats), len(seats)) for at in range(len(self.seats))]

    def places(self) -> list[int]:
        """Those in front of a seat are counted one by one."""
        everyone = range(len(self.seats))
        return [1 + sum(self.is_ahead(other, at) for other in everyone) for at in everyone]

    def is_ahead(self, one: int, other: int) -> bool:
        a, b = self.seats[one], self.seats[other]
        if (one in self.winners) != (other in self.winners):
            return one in self.winners
        if one in self.winners:
            return False
        if (a["status"] == "in") != (b["status"] == "in"):
            return bool(a["status"] == "in")
        better = a["chips"] > b["chips"] if self.rules.format == "deals" else a["total"] < b["total"]
        if a["status"] == "in":
            return bool(a["took_part"]) if a["took_part"] != b["took_part"] else better
        if a["out_since"] != b["out_since"]:
            return bool(a["out_since"] > b["out_since"])
        if a["status"] != b["status"]:
            return bool(a["status"] == "out")
        return better

    def report(self) -> dict[str, Any]:
        """The whole as JSON, as api.md has it."""
        over = self.reason is not None
        places = self.places() if over else []
        may = [self.may_rejoin(at) for at in range(len(self.seats))]
        split = self.split_shares()
        return {
            "standings": [
                {
                    "seat": at,
                    "total": seat["total"],
                    "chips": seat["chips"] if self.rules.format == "deals" else None,
                    "status": seat["status"],
                    "drops_left": self.drops_left(at),
                    "may_rejoin": may[at],
                    "rejoins": seat["rejoins"],
                    "share": str(self.shares[at]) if over else None,
                    "place": places[at] if over else None,
                }
                for at, seat in enumerate(self.seats)
            ],
            "pot": self.pot(),
            "next": None if over else {"kind": "tie_break" if self.tied else "round", "seats": self.dealt()},
            "split": split and [{"seat": at, "share": str(share)} for at, share in split.items()],
            "rejoin_total": self.highest() + 1 if any(may) else None,
            "outcome": {
                "winners": self.winners,
                "totals": [seat["total"] for seat in self.seats],
                "reason": self.reason,
            }
            if over
            else None,
        }
