"""The HTTP service: thin routes over the engine and the solver."""

from service.app import create_app

__all__ = ["create_app"]
