local from, limit, asks, name, hash, expected = unpack(ARGV)

local reply, info = unknown_to(asks, name, hash)
if reply then return reply end
local version = tonumber(redis.call('HGET', game, 'version'))
if expected ~= '' and expected ~= info then return {'stale', version} end
if redis.call('XLEN', events) ~= version then return {'lost'} end
return {'page', version, redis.call('XRANGE', events, from, '+', 'COUNT', limit)}
