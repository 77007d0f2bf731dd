-- Enters a game whose match is about to end into its owner's index of matches that are over, at its place in the other.
local live, over, id = KEYS[1], KEYS[2], ARGV[1]
local score = redis.call('ZSCORE', live, id)
if score then redis.call('ZADD', over, score, id) end
return 1
