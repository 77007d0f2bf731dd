"""Which apps may call, by which key, and how much each may ask for.

Knows neither Flask nor games: who may see which game is `service.hosted`'s business.
"""
