-- Enters a game into its owner's index of live games, once. The score is the time in microseconds, made unique and
-- increasing over both indices, so that it serves as a cursor. Replies with the size of the index.
local live, over, id = KEYS[1], KEYS[2], ARGV[1]
if not redis.call('ZSCORE', live, id) then
  local clock = redis.call('TIME')
  local score = clock[1] * 1000000 + clock[2]
  for _, index in ipairs(KEYS) do
    local newest = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
    if newest then score = math.max(score, tonumber(newest) + 1) end
  end
  redis.call('ZADD', live, string.format('%.0f', score), id)
end
return redis.call('ZCARD', live)
