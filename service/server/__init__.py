"""gunicorn's master and workers: how the service starts, takes connections and ends.

Must know no call: to it the app is any WSGI app.
"""
