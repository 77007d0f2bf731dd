"""What can go wrong, as callers are told it: every code, with its status and its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Problem(NamedTuple):
    """One kind of error: its stable code, its status, its title, and when it is given."""

    code: str
    status: int
    title: str
    sentence: str


# The one list: the code, openapi.yaml and the docs page are made from it.
PROBLEMS: Mapping[str, Problem] = {
    code: Problem(code, status, title, sentence)
    for code, status, title, sentence in (
        ("not_found", 404, "Not found", "There is nothing at this address, or nothing that the caller may know of."),
        ("method_not_allowed", 405, "Method not allowed", "The address exists, but not for this method; `Allow` lists those it takes."),
        ("too_large", 413, "Body too large", "The body is larger than 64 KiB, or 1 MiB for a batch."),
        ("unsupported_media_type", 415, "Unsupported media type", "Bodies are JSON in UTF-8, not compressed: send `Content-Type: application/json`."),
        ("unauthenticated", 401, "Not authenticated", "The call needs `Authorization: Bearer` with a valid key or token."),
        ("expired", 410, "Expired", "The game has expired."),
        ("lost", 410, "Lost", "The store has lost a part of the game: no move can be made any more."),
        ("forbidden", 403, "Forbidden", "The token is valid, but not for this seat or call."),
        ("bad_request", 400, "Bad request", "The request is not HTTP as it is taken here: its first line, a header or a chunk is malformed or too long, or HTTP/1.1 comes without `Host`."),
        ("http_version_not_supported", 505, "HTTP version not supported", "Requests come in HTTP/1.1 or HTTP/1.0."),
        ("not_implemented", 501, "Not implemented", "`Transfer-Encoding` can only be `chunked`."),
        ("bad_json", 400, "Bad JSON", "The body is not strict JSON: malformed, a name twice in one object, nested deeper than 32, a whole number beyond 64 bit, NaN, or a lone surrogate."),
        ("invalid_request", 422, "Invalid request", "A field is missing, unknown, of the wrong type, or contradicts another; `errors` names each place."),
        ("corrupt_state", 422, "Corrupt state", "The state is one that no game can reach; `errors` names the places."),
        ("unknown_rules", 422, "Unknown rules", "There is no preset of this name."),
        ("unknown_card", 422, "Unknown card", "A text is no card; `errors` names each place."),
        ("impossible_hand", 422, "Impossible hand", "The number of cards is wrong, or there are more copies of a card than the decks in play hold."),
        ("too_few_cards", 422, "Too few cards", "The decks are too small for so many seats."),
        ("key_reused", 422, "Idempotency key reused", "The Idempotency-Key was used before with another body."),
        ("version_required", 428, "Version required", 'The call needs the version that it was decided on, written so: `If-Match: "v1"`.'),
        ("stale_version", 412, "Stale version", "The game has moved on, or `If-Match` is no version of it; the problem names the current one."),
        ("illegal_move", 409, "Illegal move", "The rules forbid the move and nothing has changed; `code` and `violation` say why."),
        ("record_not_open", 409, "Record not open", "The record of a match opens once the match is over."),
        ("not_due", 409, "Not due", "No turn is overdue."),
        ("rate_limited", 429, "Too many requests", "Try again after `Retry-After` seconds."),
        ("store_unavailable", 503, "Store unavailable", "The store cannot be reached; the same call may be sent again after `Retry-After` seconds."),
        ("store_unsafe", 503, "Store unsafe", "The store may throw games away, so nothing is changed; it helps only to set it right, which whoever runs the service has to do."),
        ("store_damaged", 503, "Store damaged", "The file of games is damaged: sending the call again does not help before whoever runs the service has put it right."),
        ("not_durable", 503, "Not durable", "Too few replicas have confirmed; send the same call with the same key again."),
        ("undecided", 503, "Undecided", "The best grouping could not be proved within the work limit; nothing has changed."),
        ("internal", 500, "Internal error", "A fault of the service; the request id finds it in the log."),
    )
}  # fmt: skip
