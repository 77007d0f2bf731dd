-- Counts a game in the sum of its owner: so many bytes at this version, to be looked at again when `due`; with 0 bytes, no more.
-- A version that another process has told meanwhile stands.
local sizes, ends = KEYS[1], KEYS[2]
local id, bytes, version, due = unpack(ARGV)
local known, old = (redis.call('HGET', sizes, id) or '-2:0'):match('^(.*):(%d+)$')
if bytes ~= '0' and tonumber(version) < tonumber(known) then return 0 end
if bytes == '0' then
  redis.call('HDEL', sizes, id)
  redis.call('ZREM', ends, id)
else
  redis.call('HSET', sizes, id, version .. ':' .. bytes)
  redis.call('ZADD', ends, due, id)
end
if redis.call('HINCRBY', sizes, 'all', string.format('%.0f', bytes - old)) == 0 then redis.call('HDEL', sizes, 'all') end
return 1
