local nonce, answers = unpack(ARGV)

local owner, deleted, made = unpack(redis.call('HMGET', game, 'owner', 'deleted', 'made'))
if deleted == nonce then return {'done', 0, now, weigh(), owner} end
local reply = refusal()
if reply then return reply end
-- The create's answer stays, and something in the game's place: a retry of it must not make the game again.
redis.call('DEL', game, events)
redis.call('HSET', game, 'deleted', nonce, 'owner', owner)
if made then forget(without(redis.call('ZRANGE', times, 0, -1), made)) end
for _, key in ipairs({game, requests, times}) do redis.call('PEXPIRE', key, answers) end
tell('gone')
return {'done', 0, now, weigh(), owner}
