"""Finds the best grouping of a rummy hand and proves it. Imports the engine only, never the service."""
