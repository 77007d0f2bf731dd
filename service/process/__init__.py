"""What a process has whatever it does: threads of the system, cores, the log, the counts.

Must know nothing of calls or games: it imports no other room.
"""
