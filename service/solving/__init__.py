"""The solver at work: whose turn it is, in which process, within which limits, and a share of its answers proved again.

Must know neither Flask nor what a request looks like.
"""
