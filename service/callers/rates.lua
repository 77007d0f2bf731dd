-- A token bucket that several processes draw from: takes off what one of them has spent and replies with what is left.
local rate, most, spent = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local tokens, at = unpack(redis.call('HMGET', KEYS[1], 'tokens', 'at'))
tokens = tokens and math.min(most, tokens + math.max(0, now - at) * rate) or most
tokens = math.max(-most, tokens - spent)
redis.call('HSET', KEYS[1], 'tokens', string.format('%.3f', tokens), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(2000 * most / rate) + 1000)
return string.format('%.3f', tokens)
