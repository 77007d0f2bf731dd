"""Which apps may call, by which key, and how much each may ask for.

Must know neither Flask nor games: who may see which game is for `service.hosted` to say.
"""
