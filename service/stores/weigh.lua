-- How much room is taken by what is there of a game, noted as such, and how long that is; and the game's version, none if it is gone.
local left = redis.call('PTTL', game)
if left == -2 then return {0, 0, 0} end
local bytes, version = weigh(), redis.call('HGET', game, 'version')
if version then redis.call('HSET', game, 'bytes', bytes) end
return {bytes, left, version and tonumber(version) or -1}
