"""The description of all calls and what is made of it and of the code: openapi.yaml, its examples, the tables of the
documents.

Reads declared calls and carries none out: it must import no route and no use case.
"""
