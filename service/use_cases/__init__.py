"""What the service does, without Flask: requests in, answers out.

Must know neither Flask nor metrics: the solver's processes and the command line load it, too.
"""
