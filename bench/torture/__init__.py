"""What must not happen to hosted games, tried over HTTP on real services and real stores: `python -m bench.torture`."""
