local key, body, answer, nonce, hold, durable = unpack(ARGV, 1, 6)
local ceiling, name, token = unpack(ARGV, 10, 12)
settled = math.min(now, tonumber(ceiling))

local reply = refusal() or recall(key, body, durable)
if reply then return reply end
local version, bytes = unpack(redis.call('HMGET', game, 'version', 'bytes'))
version = tonumber(version)
redis.call('HSET', game, 'token:' .. name, token)
return {'done', version, now, take(tonumber(bytes), remember(key, hold, version, nonce, body, answer))}
