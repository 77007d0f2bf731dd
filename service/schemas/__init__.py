"""The shapes of requests and answers: what HTTP adds to the engine's types, never rules."""
