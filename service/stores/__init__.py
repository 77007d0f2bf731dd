"""Where hosted games are kept: the contract, and its two implementations, SQLite and Redis.

Must know no game, no rule and no HTTP: what is kept are bytes, versions and times.
"""
