"""Swoop: the shedding game with guards and secrets (rules.md §2)."""
