--- Chooses the chunk whose turn it is, as `FairQueue.pick` does, and lends it to a consumer. A chunk whose text is gone fails its evaluation: it
--- can never be complete.
--- @invariant the chunk has its turn at this moment, and only one consumer gets it
--- KEYS[1] prefix
--- @argument leaseMs number  how long the chunk is the consumer's, ms
--- @argument nonce string  what no other claim has, so that no two leases have one name
--- @returns nil | {JSON of ClaimAnswer, the packed items, the packed record}
--- @include include/life
--- @include include/choice

local now = nowMs()

--- The chunk is the consumer's: the lease's name.
local function lend(id, queueKey, waiting, cost, born)
  local name = table.concat({ id, waiting.chunk, waiting.claims, args.nonce }, '/')
  local lease = { evaluation = id, born = born, queueKey = queueKey, cost = cost }
  for _, field in ipairs({ 'chunk', 'claims', 'items', 'bytes' }) do lease[field] = waiting[field] end
  call('HSET', LEASED, name, cmsgpack.pack(lease))
  call('HINCRBY', evaluationKey(id), 'claimed', 1)
  countRunning(queueKey, 1)
  happen(id, 'claim', {}, { lease = name, leaseMs = args.leaseMs })
  return name
end

--- What others wrote under the names of an evaluation's keys is deleted: it would end this command here each time, whoever claims.
local function keepOwn(id)
  if call('TYPE', waitingKey(id)).ok ~= 'list' then call('DEL', waitingKey(id)) end
  for _, name in ipairs({ evaluationKey(id), bodiesKey(id) }) do
    if call('TYPE', name).ok ~= 'hash' then call('DEL', name) end
  end
end

local cap = seatsPerFlow(now)
while true do
  local level, flow = choose(cap)
  if not level then return nil end
  local first = front(level, flow)
  local id = call('HGET', LEAVES, first.leaf)
  local queueKey = id and livingKey(id)
  if id then keepOwn(id) end
  local packed = queueKey and call('LPOP', waitingKey(id))
  if not packed then
    -- The keys of the evaluation were lost: its queue key leaves the tree, and reconcile finds out what became of it.
    leave(first)
  else
    local waiting = cmsgpack.unpack(packed)
    local record, born, itemMs, celSpent, deadline = unpack(call('HMGET', evaluationKey(id), 'record', 'born', 'itemMs', 'celSpent', 'deadline'))
    count(CHUNKS, queueKey, -1)
    count(BYTES, queueKey, -waiting.bytes)
    local cost = chunkCost(tonumber(itemMs or 0), waiting.items, waiting.bytes)
    serve(queueKey, cost, call('EXISTS', waitingKey(id)) == 1)
    local body = call('HGET', bodiesKey(id), waiting.chunk)
    if body and record then
      local answer = { lease = lend(id, queueKey, waiting, cost, born), chunk = waiting.chunk, claims = waiting.claims, cost = cost }
      answer.celSpent = tonumber(celSpent or 0)
      answer.leftMs = tonumber(deadline) - now
      answer.waitedMs = math.max(0, now - waiting.queuedAt)
      return { cjson.encode(answer), body, record }
    end
    lose(id)
  end
end
