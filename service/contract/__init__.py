"""The description of all calls, and what documents take from the code: openapi.yaml, its examples, tables, a picture.

Reads declared calls and carries none out: it must import no route and no use case.
"""
