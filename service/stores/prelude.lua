-- What every script on one game shares; each of them is sent with this in front.
-- KEYS: the game's hash, its stream of events, the answers by request key, the same keys by when they are forgotten.
-- Replies: {'done', version, at}, {'known', record}, or why nothing was done.
local game, events, requests, times = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local settled = now  -- what answers are forgotten by; scripts that forget hold it to what their caller allows

-- Nil for a game that can be used; else what to reply. A deleted game has no 'expires'.
-- After a clock that was set back all that is to come of a game is moved back by as much as the clock is behind its last change: else
-- a turn would last until the clock is where it was. Where memory is too short for that, it is done at the next call.
local function refusal()
  local owner, expires, buried, changed = unpack(redis.call('HMGET', game, 'owner', 'expires', 'buried', 'changed'))
  if not expires then return {'missing'} end
  local behind = changed - now
  if behind > 1000 then
    local due = tonumber(redis.call('HGET', game, 'deadline'))
    expires, buried = expires - behind, buried - behind
    redis.pcall('HSET', game, 'changed', now, 'deadline', due and due - behind or '', 'expires', expires, 'buried', buried)
  end
  if now < tonumber(expires) then return nil end
  return now < tonumber(buried) and {'expired', owner} or {'missing'}
end

-- Nil for who may know of the game, and its info; else what to reply. Who may not is answered after the same work as if it were
-- not there.
local function unknown_to(asks, name, hash)
  local owner, token, info = unpack(redis.call('HMGET', game, 'owner', 'token:' .. name, 'info'))
  local reply = refusal()
  if reply then return reply end
  if asks == 'owner' and owner ~= name then return {'missing'} end
  if asks == 'holder' and token ~= hash then return {'denied', info} end
  return nil, info
end

-- The reply to a request that is known. WAIT promises something only about writes of its own connection: when a caller
-- is going to wait for replicas, a replay writes its record once more, unchanged, so that there is something to wait for.
local function recall(key, body, durable)
  local record = redis.call('HGET', requests, key)
  if not record then return nil end
  local forgotten, known = record:match('^(%d+):%d+:%d+:%x*:(%x*):')
  if settled >= tonumber(forgotten) then return nil end
  if known ~= body then return {'reused'} end
  if durable == '1' then redis.call('HSET', requests, key, record) end
  return {'known', record}
end

-- How much room an answer takes, and the game with all that is there of it (service.stores.room).
local function weight(record)
  local data = record and record:match('^%d+:%d+:%d+:%x*:%x*:()')
  return data and ENTRY + #record - data + 1 or 0
end
local function weigh()
  local info, blob = unpack(redis.call('HMGET', game, 'info', 'blob'))
  local bytes = GAME + #(info or '') + #(blob or '')
  for _, entry in ipairs(redis.call('XRANGE', events, '-', '+')) do bytes = bytes + ENTRY + #entry[2][4] end
  for _, record in ipairs(redis.call('HVALS', requests)) do bytes = bytes + weight(record) end
  return bytes
end

-- A list without one of its entries.
local function without(list, entry)
  for place = #list, 1, -1 do if list[place] == entry then table.remove(list, place) end end
  return list
end

-- Forgets answers. Replies with how much room they took.
local function forget(keys)
  local bytes = 0
  for _, old in ipairs(keys) do
    bytes = bytes + weight(redis.call('HGET', requests, old))
    redis.call('HDEL', requests, old)
    redis.call('ZREM', times, old)
  end
  return bytes
end

-- Keeps an answer for `hold`, and forgets a few that are old or too many; never that to the game's create (of which a game of a
-- former release does not know which it is). Replies with how much more room is taken.
local function remember(key, hold, version, nonce, body, answer)
  local forgotten = now + hold
  local record = table.concat({forgotten, now, version, nonce, body, answer}, ':')
  local more = weight(record) - weight(redis.call('HGET', requests, key))
  redis.call('HSET', requests, key, record)
  redis.call('ZADD', times, forgotten, key)
  more = more - forget(redis.call('ZRANGEBYSCORE', times, '-inf', settled, 'LIMIT', 0, 8))
  local many = redis.call('ZCARD', times) - ANSWERS
  local made = many > 0 and redis.call('HGET', game, 'made')
  if made then
    local oldest = without(redis.call('ZRANGE', times, 0, math.min(many, 8)), made)
    oldest[many + 1] = nil
    more = more - forget(oldest)
  end
  return more
end

-- Notes that so much more room is taken (nil: that is not known). Replies with what the owner's sum is to be told, if its number of
-- blocks has changed: how much it is now, and whose the game is.
local function take(before, more)
  local after = before and before + more or weigh()
  redis.call('HSET', game, 'bytes', after)
  if before and math.ceil(before / BLOCK) == math.ceil(after / BLOCK) then return nil end
  return after, redis.call('HGET', game, 'owner')
end

-- Sets the game's expiry anew. The game stays as a tombstone; the answers as long as any of them may be asked for.
local function renew(life, tombstone, answers)
  local expires = now + life
  local buried = expires + tombstone
  redis.call('HSET', game, 'expires', expires, 'buried', buried)
  -- All of it for as long as the tombstone: so a clock that is set forward by days and put right does not cost the log.
  local last = math.max(buried, now + answers)
  for _, key in ipairs({game, events, requests, times}) do redis.call('PEXPIREAT', key, last) end
end

-- Tells whoever waits for news of the game which version it has ('gone': none). What was written stands, even where the
-- user may not publish.
local function tell(version)
  local prefix, id = game:match('^(.*){(%x+)}')
  redis.pcall('PUBLISH', prefix .. 'changes', id .. ':' .. version)
end
