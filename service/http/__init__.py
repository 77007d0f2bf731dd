"""What every call goes through, from the bytes of a request to those of its answer: refusals, callers, costs, waiting.

Must know no call in particular: it imports no route and no use case.
"""
