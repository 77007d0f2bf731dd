local key, body, answer, nonce, hold, durable, life, tombstone, answers, ceiling = unpack(ARGV, 1, 10)
local owner, info, blob, log, deadline, bytes = unpack(ARGV, 11, 16)
settled = math.min(now, tonumber(ceiling))

local reply = recall(key, body, durable)
if reply then return reply end
if redis.call('EXISTS', game, events, requests) > 0 then
  -- An older game of the same key, whose answer is forgotten. It stays in the way as long as the next one's answer is
  -- kept: else a retry of the next one would find this place free again, and make a third.
  for _, taken in ipairs({game, events, requests, times}) do
    if redis.call('PTTL', taken) < tonumber(answers) then redis.call('PEXPIRE', taken, answers) end
  end
  return {'taken'}
end
redis.call('HSET', game, 'owner', owner, 'version', 1, 'status', 'live', 'created', now, 'changed', now,
  'deadline', deadline, 'info', info, 'blob', blob, 'bytes', bytes, 'made', key)
for i = 17, #ARGV, 2 do redis.call('HSET', game, 'token:' .. ARGV[i], ARGV[i + 1]) end
redis.call('XADD', events, '1-0', 'at', now, 'events', log)
remember(key, hold, 1, nonce, body, answer)
renew(life, tombstone, answers)
return {'done', 1, now}
