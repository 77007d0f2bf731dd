"""The app as a test client, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import create_app
from service.config import Settings


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(Settings(log="errors", data=Path(tmp_path_factory.mktemp("data"))))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
