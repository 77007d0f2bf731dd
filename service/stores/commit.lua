local key, body, answer, nonce, hold, durable, life, tombstone, answers, ceiling = unpack(ARGV, 1, 10)
local expected, digest, holder, token, blob, log, status, deadline = unpack(ARGV, 11, 18)
settled = math.min(now, tonumber(ceiling))

local reply = refusal()
if reply then return reply end
local version, info, seen, bytes = unpack(redis.call('HMGET', game, 'version', 'info', 'blob', 'bytes'))
reply = recall(key, body, durable)
if reply and reply[2] and reply[2]:match('^%d+:%d+:%d+:(%x*):') == nonce then return reply end  -- our own, its reply lost
-- Before anything else is told: whoever was let in by what a process remembers may have lost its token since.
if holder ~= '' and redis.call('HGET', game, 'token:' .. holder) ~= token then return {'stale', tonumber(version)} end
if reply then return reply end
if tonumber(version) ~= tonumber(expected) or (digest ~= '' and redis.sha1hex(info .. seen) ~= digest) then
  return {'stale', tonumber(version)}
end
-- One entry a version: where some are gone, thrown away by a server that was short of memory, half a game is left.
if redis.call('XLEN', events) ~= tonumber(version) then return {'lost'} end
version = version + 1
redis.call('HSET', game, 'version', version, 'status', status, 'changed', now, 'deadline', deadline, 'blob', blob)
redis.call('XADD', events, version .. '-0', 'at', now, 'events', log)
local answered = remember(key, hold, version, nonce, body, answer)
renew(life, tombstone, answers)
tell(version)
return {'done', version, now, take(tonumber(bytes), #blob - #seen + ENTRY + #log + answered)}
