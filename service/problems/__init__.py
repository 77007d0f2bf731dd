"""What callers are told where something goes wrong: every code, and the refusals that the service itself gives.

Must know nobody who gives one: it imports no other room.
"""
