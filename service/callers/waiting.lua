-- Notes how many long polls of an app wait in a process, and replies with how many do in all others. What was noted more than ten
-- seconds ago, or by a clock that was set back, is that of a process that is no more.
local counts, process, count = KEYS[1], ARGV[1], ARGV[2]
local now, others = tonumber(redis.call('TIME')[1]), 0
if count == '0' then redis.call('HDEL', counts, process) else redis.call('HSET', counts, process, count .. ':' .. now) end
local known = redis.call('HGETALL', counts)
for place = 1, #known, 2 do
  local number, at = known[place + 1]:match('^(%d+):(%d+)$')
  if math.abs(now - at) > 10 then
    redis.call('HDEL', counts, known[place])
  elseif known[place] ~= process then
    others = others + number
  end
end
redis.call('EXPIRE', counts, 20)
return others
