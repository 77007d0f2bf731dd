"""The documentation that the service serves: the reference of the calls at /docs, the guides at /docs/guides.

Must need nothing from elsewhere: no file that another machine serves, and no call's view.
"""
