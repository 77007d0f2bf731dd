local key, body, answer, nonce, hold, durable, life, tombstone, answers = unpack(ARGV, 1, 9)
local expected, blob, log, status, deadline = unpack(ARGV, 10, 14)

local reply = refusal() or recall(key, body, durable)
if reply then return reply end
local version = tonumber(redis.call('HGET', game, 'version'))
if version ~= tonumber(expected) then return {'stale', version} end
version = version + 1
redis.call('HSET', game, 'version', version, 'status', status, 'changed', now, 'deadline', deadline, 'blob', blob)
redis.call('XADD', events, version .. '-0', 'at', now, 'events', log)
remember(key, hold, version, nonce, body, answer)
renew(life, tombstone, answers)
return {'done', version, now}
