"""The shapes of requests and answers: what HTTP adds to the engine's types.

Must hold no rule of a game, and carry nothing out.
"""
