"""The solver at work: whose turn it is, on which cores, within which limits, and a share of its answers proved again.

Knows neither Flask nor what a request looks like.
"""
