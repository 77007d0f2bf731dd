"""Pages to look at what the referee does (hand lab, replay, rules, the front door), and pictures of groupings.

Their files lie in `assets/` as they are sent, with no build step; `fonts/` is for pictures. They must call the public API alone, load nothing from other
hosts and keep no key.
"""
