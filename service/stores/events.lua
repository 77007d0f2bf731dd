local from, limit = unpack(ARGV)

local reply = refusal()
if reply then return reply end
local version = tonumber(redis.call('HGET', game, 'version'))
if redis.call('XLEN', events) ~= version then return {'lost'} end
return {'page', version, redis.call('XRANGE', events, from, '+', 'COUNT', limit)}
