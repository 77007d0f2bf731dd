"""Mutants of valid calls of every route, sent to the app and to a running service: `python -m bench.fuzz_http`."""
