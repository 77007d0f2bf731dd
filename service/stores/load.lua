local durable, asks, name, hash = unpack(ARGV, 1, 4)

-- Who may not know of a game is answered after the same work as if it were not there.
local owner, token, info = unpack(redis.call('HMGET', game, 'owner', 'token:' .. name, 'info'))
local reply = refusal()
if reply then return reply end
if asks == 'owner' and owner ~= name then return {'missing'} end
if asks == 'holder' and token ~= hash then return {'denied', info} end
local records = {}
for i = 5, #ARGV do
  local record = redis.call('HGET', requests, ARGV[i])
  records[i - 4] = record
  if record and durable == '1' then redis.call('HSET', requests, ARGV[i], record) end  -- see recall
end
return {'game', now, redis.call('HGETALL', game), records}
