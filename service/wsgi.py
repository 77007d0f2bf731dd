"""The entry point for WSGI servers of one's own: ``gunicorn service.wsgi:app``."""

import os

from service import logs
from service.app import create_app
from service.config import Settings

logs.configure()
app = create_app(Settings.from_environment(os.environ))
