-- Writes as the other scripts do, to see whether that is possible; replies with nothing of interest.
redis.call('HSET', KEYS[1], 'at', redis.call('TIME')[1])
redis.call('PEXPIRE', KEYS[1], 60000)
return 1
