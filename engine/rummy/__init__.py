"""13-card rummy (rules.md §1)."""
