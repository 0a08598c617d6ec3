--- Chooses the chunk whose turn it is, as `FairQueue.pick` does, and lends it to a consumer. A chunk whose text is gone fails its evaluation: it
--- can never be complete.
--- KEYS[1] prefix
--- @argument leaseMs number  how long the chunk is the consumer's, ms
--- @argument nonce string  what no other claim has, so that no two leases have one name
--- @returns nil | {JSON of ClaimAnswer, the packed items, the packed record}
--- @include include/life

local now = nowMs()

--- Seats that one flow may hold while others wait: half of all, at least one; all where the number is unknown.
local function seatsPerFlow()
  local seats = 0
  for _, consumer in ipairs(call('ZRANGE', CONSUMERS, '(' .. exact(now), '+inf', 'BYSCORE')) do seats = seats + number(SEATS, consumer) end
  return seats > 0 and math.max(1, math.ceil(seats / 2)) or math.huge
end
local function choose(cap)
  local exempt = call('ZRANGE', readyKey('exempt'), 0, 0)[1]
  if exempt then return 'exempt', exempt end
  local levels = call('ZRANGE', readyKey(''), 0, -1)
  for _, bound in ipairs({ cap, math.huge }) do
    for _, level in ipairs(levels) do
      local from = 0
      repeat
        local flows = call('ZRANGE', readyKey(level), from, from + 15)
        for _, flow in ipairs(flows) do
          if number(RUNNING, level .. '/' .. flow) < bound then return level, flow end
        end
        from = from + 16
      until #flows < 16
    end
  end
end
--- The queue key at the front of a flow, as far as the tree knows it.
local function front(level, flow)
  local division = call('ZRANGE', readyKey(level .. '/' .. flow), 0, 0)[1]
  local queueKey = withPaths({ level = level, flow = flow, division = division, weight = 1 })
  queueKey.leaf = call('ZRANGE', readyKey(queueKey.divisionPath), 0, 0)[1]
  return queueKey
end
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

local cap = seatsPerFlow()
while true do
  local level, flow = choose(cap)
  if not level then return nil end
  local first = front(level, flow)
  local id = call('HGET', LEAVES, first.leaf)
  local queueKey = id and livingKey(id)
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
      local answer = { lease = lend(id, queueKey, waiting, cost, born), chunk = waiting.chunk, claims = waiting.claims, level = level, flow = flow, cost = cost }
      answer.celSpent = tonumber(celSpent or 0)
      answer.leftMs = tonumber(deadline) - now
      answer.waitedMs = math.max(0, now - waiting.queuedAt)
      return { cjson.encode(answer), body, record }
    end
    lose(id)
  end
end
