-- Enters a game into its owner's index of live games, once, and counts the bytes that it will take. The score is the time in
-- microseconds, made unique and increasing over both indices, so that it serves as a cursor. Replies with the size of the index,
-- and with the ids of some games whose room is to be looked at again.
local live, over, sizes, ends = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, bytes, grace = unpack(ARGV)
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if not redis.call('ZSCORE', live, id) then
  local score = clock[1] * 1000000 + clock[2]
  for _, index in ipairs({live, over}) do
    local newest = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
    if newest then score = math.max(score, tonumber(newest) + 1) end
  end
  redis.call('ZADD', live, string.format('%.0f', score), id)
end
if redis.call('HEXISTS', sizes, id) == 0 then
  redis.call('HSET', sizes, id, '0:' .. bytes)
  redis.call('ZADD', ends, string.format('%.0f', now + grace), id)
  redis.call('HINCRBY', sizes, 'all', bytes)
end
return {redis.call('ZCARD', live), redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, 4)}
