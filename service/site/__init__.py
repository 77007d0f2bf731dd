"""The documentation that the service serves: the reference of the calls at /docs, the guides at /docs/guides."""
