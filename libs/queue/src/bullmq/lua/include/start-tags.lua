--- Start tags of flows, and counts of what waits and runs. BullMQ serves runs by priority; a run's priority is its start tag.
--- @include include/keys
--- @include include/constants

--- A queue key, {level, flow, division, weight, leaf}, with the paths by which it is counted.
local function withPaths(queueKey)
  queueKey.levelPath = queueKey.level
  queueKey.flowPath = queueKey.level .. '/' .. queueKey.flow
  return queueKey
end
--- The queue key of a live evaluation; nil for all others.
local function livingKey(id)
  local packed = call('HGET', LIVING, id)
  return packed and cmsgpack.unpack(packed)
end

local function weightOf(queueKey) return LEVEL_WEIGHTS[queueKey.level] * queueKey.weight end
--- Moves the tag at which the next run of a flow starts by the cost of one, ms. Returns where that one starts. The first run of each evaluation has a
--- lane of its own, so that none waits behind a batch of its flow.
local function startRun(queueKey, cost, isFirst)
  local lane = isFirst and queueKey.flowPath .. '/first' or queueKey.flowPath
  local start = math.max(number(TAGS, ''), number(TAGS, lane))
  put(TAGS, lane, start + cost / weightOf(queueKey))
  return start
end
--- A run took more (or less) than its flow was charged: credit ends at the virtual time, debt at that time plus the cap.
local function correct(queueKey, delta)
  local tag, v, by = number(TAGS, queueKey.flowPath), number(TAGS, ''), delta / weightOf(queueKey)
  local corrected = by < 0 and math.max(tag + by, math.min(tag, v)) or math.min(tag + by, math.max(tag, v + DEBT_CAP_MS))
  put(TAGS, queueKey.flowPath, corrected)
end
--- The priority of a run for BullMQ: 1 is served first. The base moves while nothing waits.
local function priorityOf(queueKey, tag)
  if queueKey.level == 'exempt' then return 1 end
  return 2 + math.max(0, math.min(MOST_TICKS, math.floor((tag - number(TAGS, 'base')) / TICK_MS)))
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
--- A run waits: {chunk, claims, items, bytes, cost, tag}.
local function wait(id, queueKey, run)
  run.queuedAt = nowMs()
  call('HSET', waitingKey(id), run.chunk, cmsgpack.pack(run))
  count(CHUNKS, queueKey, 1)
  count(BYTES, queueKey, run.bytes)
end
