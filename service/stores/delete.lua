local nonce, answers = unpack(ARGV)

if redis.call('HGET', game, 'deleted') == nonce then return {'done', 0, now} end
local reply = refusal()
if reply then return reply end
-- The answers stay, and something in the game's place: a retry of its create must not make it again.
redis.call('DEL', game, events)
redis.call('HSET', game, 'deleted', nonce)
for _, key in ipairs({game, requests, times}) do redis.call('PEXPIRE', key, answers) end
tell('gone')
return {'done', 0, now}
