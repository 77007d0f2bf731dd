"""Many players, watchers and askers for a long time: `python -m bench.soak`."""
