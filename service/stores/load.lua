local durable, asks, name, hash = unpack(ARGV, 1, 4)

local reply = unknown_to(asks, name, hash)
if reply then return reply end
local records = {}
for i = 5, #ARGV do
  local record = redis.call('HGET', requests, ARGV[i])
  records[i - 4] = record
  if record and durable == '1' then redis.call('HSET', requests, ARGV[i], record) end  -- see recall
end
return {'game', now, redis.call('HGETALL', game), records}
