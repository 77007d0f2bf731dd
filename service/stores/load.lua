local reply = refusal()
if reply then return reply end
local records = {}
for i = 2, #ARGV do
  local record = redis.call('HGET', requests, ARGV[i])
  records[i - 1] = record
  if record and ARGV[1] == '1' then redis.call('HSET', requests, ARGV[i], record) end  -- see recall
end
return {'game', now, redis.call('HGETALL', game), records}
