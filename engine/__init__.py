"""The rules of the games, pure: no I/O, no clock, no global randomness, nothing but the standard library."""

from engine import compiled

compiled.use()
