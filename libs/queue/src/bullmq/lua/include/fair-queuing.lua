--- Hierarchical start-time fair queuing. The TypeScript code in `scheduling-node.ts` and `fair-queue.ts` of `libs/runner/src/flow` does the same arithmetic in
--- the same order, so that both choose the same chunks (`test/same-order.spec.ts`).
--- @include include/keys
--- @include include/constants

--- A queue key, {level, flow, division, weight, leaf}, with the paths of its nodes.
local function withPaths(queueKey)
  queueKey.levelPath = queueKey.level
  queueKey.flowPath = queueKey.level .. '/' .. queueKey.flow
  queueKey.divisionPath = queueKey.flowPath .. '/' .. queueKey.division
  return queueKey
end
--- The queue key of a live evaluation; nil for all others.
local function livingKey(id)
  local packed = call('HGET', LIVING, id)
  return packed and cmsgpack.unpack(packed)
end

local function startTag(node, name)
  local start = call('ZSCORE', readyKey(node), name)
  return start and tonumber(start)
end

--- A child has waiting work. `remembered`: under which name its finish tag is kept, nil where none is.
local function arriveAt(node, name, remembered)
  if startTag(node, name) then return end
  local start = number(VIRTUAL_TIME, node)
  if remembered then start = math.max(start, number(FINISH, remembered)) end
  call('ZADD', readyKey(node), exact(start), name)
end
local function arrive(queueKey)
  arriveAt(queueKey.divisionPath, queueKey.leaf)
  arriveAt(queueKey.flowPath, queueKey.division)
  arriveAt(queueKey.levelPath, queueKey.flow, queueKey.flowPath)
  if queueKey.level ~= 'exempt' then arriveAt('', queueKey.level, queueKey.levelPath) end
end

--- A child is served with work of an expected cost; `more`: it has more waiting.
local function serveAt(node, name, cost, weight, more, remembered)
  local v = number(VIRTUAL_TIME, node)
  local start = startTag(node, name) or v
  local finish = start + cost / weight
  v = math.max(v, start)
  if more then
    call('ZADD', readyKey(node), exact(finish), name)
  else
    call('ZREM', readyKey(node), name)
    if remembered then put(FINISH, remembered, finish) else v = math.max(v, finish) end
  end
  put(VIRTUAL_TIME, node, v)
end
local function serve(queueKey, cost, more)
  serveAt(queueKey.divisionPath, queueKey.leaf, cost, 1, more)
  more = call('EXISTS', readyKey(queueKey.divisionPath)) == 1
  serveAt(queueKey.flowPath, queueKey.division, cost, 1, more)
  if not more then call('HDEL', VIRTUAL_TIME, queueKey.divisionPath) end
  more = call('EXISTS', readyKey(queueKey.flowPath)) == 1
  serveAt(queueKey.levelPath, queueKey.flow, cost, queueKey.weight, more, queueKey.flowPath)
  more = call('EXISTS', readyKey(queueKey.levelPath)) == 1
  if queueKey.level ~= 'exempt' then serveAt('', queueKey.level, cost, LEVEL_WEIGHTS[queueKey.level], more, queueKey.levelPath) end
end

--- A child has nothing waiting any more, without having been served.
local function leaveAt(node, name, remembered)
  local start = startTag(node, name)
  if not start then return end
  call('ZREM', readyKey(node), name)
  if remembered then put(FINISH, remembered, start) end
end
local function leave(queueKey)
  leaveAt(queueKey.divisionPath, queueKey.leaf)
  if call('EXISTS', readyKey(queueKey.divisionPath)) == 1 then return end
  call('HDEL', VIRTUAL_TIME, queueKey.divisionPath)
  leaveAt(queueKey.flowPath, queueKey.division)
  if call('EXISTS', readyKey(queueKey.flowPath)) == 1 then return end
  leaveAt(queueKey.levelPath, queueKey.flow, queueKey.flowPath)
  if queueKey.level ~= 'exempt' and call('EXISTS', readyKey(queueKey.levelPath)) == 0 then leaveAt('', queueKey.level, queueKey.levelPath) end
end

--- A tag moved by what a chunk took more (or less) than it was charged: credit ends at V, debt at V plus the cap.
local function corrected(node, tag, by)
  local v = number(VIRTUAL_TIME, node)
  if by < 0 then return math.max(tag + by, math.min(tag, v)) end
  return math.min(tag + by, math.max(tag, v + DEBT_CAP_MS))
end
local function correctAt(node, name, delta, weight, remembered)
  local start = startTag(node, name)
  if start then
    call('ZADD', readyKey(node), exact(corrected(node, start, delta / weight)), name)
  elseif remembered then
    put(FINISH, remembered, corrected(node, number(FINISH, remembered), delta / weight))
  end
end
local function correct(queueKey, delta)
  correctAt(queueKey.divisionPath, queueKey.leaf, delta, 1)
  correctAt(queueKey.flowPath, queueKey.division, delta, 1)
  correctAt(queueKey.levelPath, queueKey.flow, delta, queueKey.weight, queueKey.flowPath)
  if queueKey.level ~= 'exempt' then correctAt('', queueKey.level, delta, LEVEL_WEIGHTS[queueKey.level], queueKey.levelPath) end
end

--- What a chunk is expected to take of a seat, ms; and what an item is expected to take after the items of a chunk took `judgedMs`.
local function chunkCost(itemMs, items, bytes)
  return math.min(math.max(items * itemMs + bytes * MS_PER_BYTE, LEAST_COST_MS), GREATEST_COST_MS)
end
local function learnedPrice(itemMs, items, bytes, judgedMs)
  local measured = math.max(judgedMs - bytes * MS_PER_BYTE, 0) / math.max(items, 1)
  local sample = math.min(measured, math.max(itemMs * SAMPLE_GROWTH, LEAST_SAMPLE_CAP_MS))
  return itemMs + (sample - itemMs) * LEARNING_RATE * math.min(items / SAMPLE_ITEMS, 1)
end

--- Adds to a count of all, of the level and of the flow.
local function count(key, queueKey, by)
  for _, field in ipairs({ '', queueKey.levelPath, queueKey.flowPath }) do call('HINCRBY', key, field, by) end
end
--- Adds to the chunks that run, of the level and of the flow.
local function countRunning(queueKey, by)
  for _, field in ipairs({ queueKey.levelPath, queueKey.flowPath }) do call('HINCRBY', RUNNING, field, by) end
end
--- A chunk waits: {chunk, claims, items, bytes}; `back`: before its evaluation's others.
local function wait(id, queueKey, waiting, back)
  waiting.queuedAt = nowMs()
  call(back and 'LPUSH' or 'RPUSH', waitingKey(id), cmsgpack.pack(waiting))
  count(CHUNKS, queueKey, 1)
  count(BYTES, queueKey, waiting.bytes)
  arrive(queueKey)
end
