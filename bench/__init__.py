"""Benchmarks and long searches; each is one command, and `python -m bench` prints all figures as one table."""
