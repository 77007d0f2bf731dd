"""Where hosted games are kept: the contract, and its two implementations, SQLite and Redis.

Knows no game, no rule and no HTTP: what it keeps are bytes, versions and times.
"""
