local key, body, answer, nonce, hold, durable = unpack(ARGV, 1, 6)
local ceiling, name, token = unpack(ARGV, 10, 12)
settled = math.min(now, tonumber(ceiling))

local reply = refusal() or recall(key, body, durable)
if reply then return reply end
local version = tonumber(redis.call('HGET', game, 'version'))
redis.call('HSET', game, 'token:' .. name, token)
remember(key, hold, version, nonce, body, answer)
return {'done', version, now}
