local from, limit = unpack(ARGV)

local reply = refusal()
if reply then return reply end
return {'page', tonumber(redis.call('HGET', game, 'version')), redis.call('XRANGE', events, from, '+', 'COUNT', limit)}
