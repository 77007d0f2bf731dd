"""What a process has whatever it does: threads of the system, cores, the log, the counts.

Knows nothing of calls or games: it imports no other room.
"""
