"""JSON in and out: strict text, and the games' own types, which are read and written by their hints.

Must know no HTTP and no request, only the codes of what can be wrong.
"""
