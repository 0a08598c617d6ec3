--- Chooses the next chunk by the same rules as `FairQueue.pick`, and leases it to a consumer.
--- If the stored items of a chunk are lost, its evaluation fails, because it can never be complete. The script then chooses another chunk.
--- @invariant the chunk is the next one at this moment, and only one consumer gets it
--- KEYS[1] prefix
--- @argument leaseMs number  Duration of the lease on the chunk, in ms
--- @argument nonce string  Random text that no other claim uses, so that no two leases have the same name
--- @returns nil if no chunk waits. Otherwise {JSON of `ClaimAnswer`, packed items of the chunk, packed record of the evaluation}
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
