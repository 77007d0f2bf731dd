"""What every call goes through, from the bytes of a request to those of its answer: what is refused, who calls, what it
costs, who waits.

Knows no call in particular: it must import no route and no use case.
"""
