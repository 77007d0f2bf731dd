"""What the command line does besides serving: one file a command, each a function that gives the exit code.

Must know nothing of HTTP, and import nothing heavy before it is needed.
"""
