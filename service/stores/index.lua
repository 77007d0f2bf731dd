-- Enters a game into its owner's index, once. The score is the time in microseconds, made unique and increasing, so
-- that it serves as a cursor. Replies with the size of the index.
local index, id = KEYS[1], ARGV[1]
if not redis.call('ZSCORE', index, id) then
  local clock = redis.call('TIME')
  local score = clock[1] * 1000000 + clock[2]
  local newest = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
  if newest then score = math.max(score, tonumber(newest) + 1) end
  redis.call('ZADD', index, string.format('%.0f', score), id)
end
return redis.call('ZCARD', index)
