"""Games kept by the service: what is stored, who may do what, and what each caller is shown.

Must know neither Flask nor which call asks, and decide nothing that a rule of a game decides.
"""
