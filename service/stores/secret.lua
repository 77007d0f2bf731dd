-- The secret that ids are made with: the one that is kept, else this one from now on.
local kept = redis.call('GET', KEYS[1])
if kept then return kept end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
