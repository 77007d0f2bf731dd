-- The settled clock of all processes (service.stores.times): moved on to what one of them allows, if it allows anything.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local mark = tonumber(redis.call('GET', KEYS[1]) or now)
if ARGV[1] ~= '' then mark = math.max(mark, math.min(now, tonumber(ARGV[1]))) end
redis.pcall('SET', KEYS[1], string.format('%.0f', mark))  -- a full server keeps the one before
return mark
