--- Claims the chunk of a job that BullMQ handed over. A claim that the job had before is superseded: its lock ran out. A chunk whose text is gone fails its
--- evaluation: it can never be complete.
--- @invariant a chunk is claimed by one consumer, and only while its evaluation lives
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument job string  of BullMQ
--- @argument chunk number  its index
--- @argument token string  of the job's lock
--- @returns nil | {JSON of ClaimAnswer, the packed items, the packed record}
--- @include include/life

local id, key = args.id, evaluationKey(args.id)
--- What others wrote under the names of an evaluation's keys is deleted: it would end this command here each time, whoever claims.
local function keepOwn()
  for _, name in ipairs({ key, bodiesKey(id), waitingKey(id) }) do
    if call('TYPE', name).ok ~= 'hash' then call('DEL', name) end
  end
end
local function lend(run, born)
  local lease = { token = args.token, evaluation = id, born = born, queueKey = livingKey(id) }
  for _, field in ipairs({ 'chunk', 'claims', 'items', 'bytes', 'cost', 'tag' }) do lease[field] = run[field] end
  call('HSET', LEASED, args.job, cmsgpack.pack(lease))
  call('HDEL', waitingKey(id), args.chunk)
  call('HINCRBY', key, 'claimed', 1)
  call('HINCRBY', RUNNING, lease.queueKey.levelPath, 1)
  count(CHUNKS, lease.queueKey, -1)
  count(BYTES, lease.queueKey, -run.bytes)
  put(TAGS, '', math.max(number(TAGS, ''), run.tag))
end

keepOwn()
local earlier = call('HGET', LEASED, args.job)
local held = earlier and cmsgpack.unpack(earlier)
if held and held.token ~= args.token then
  giveBack(args.job .. '/' .. held.token, 'expire')
  held = nil
end
local record, born, celSpent, deadline = unpack(call('HMGET', key, 'record', 'born', 'celSpent', 'deadline'))
if livingKey(id) == nil or (born and jobOf(born, args.chunk) ~= args.job) then return nil end
local packed = call('HGET', waitingKey(id), args.chunk)
local run = held or (packed and cmsgpack.unpack(packed))
-- It is done, or it was lost: then reconcile finds out.
if not run then return nil end
local body = call('HGET', bodiesKey(id), args.chunk)
if not (body and record) then
  lose(id)
  return nil
end
local now = nowMs()
if not held then happen(id, 'claim', {}, { lend = function() lend(run, born) end }) end
local answer = { lease = args.job .. '/' .. args.token, chunk = args.chunk, claims = run.claims, cost = run.cost, celSpent = tonumber(celSpent or 0) }
answer.leftMs = tonumber(deadline) - now
answer.waitedMs = math.max(0, now - (run.queuedAt or now))
return { cjson.encode(answer), body, record }
