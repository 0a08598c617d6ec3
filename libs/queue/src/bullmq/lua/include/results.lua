--- Number of bytes of stored results. They are charged to the flow of the evaluation until the results are dropped or expire.
--- @include include/fair-queuing

local function charge(id, queueKey, bytes)
  local packed = call('HGET', CHARGES, id)
  local charged = packed and cmsgpack.unpack(packed) or { bytes = 0, levelPath = queueKey.levelPath, flowPath = queueKey.flowPath }
  charged.bytes = charged.bytes + bytes
  call('HSET', CHARGES, id, cmsgpack.pack(charged))
  count(RESULT_BYTES, queueKey, bytes)
end
local function discharge(id)
  local packed = call('HGET', CHARGES, id)
  if packed then
    local charged = cmsgpack.unpack(packed)
    count(RESULT_BYTES, charged, -charged.bytes)
    call('HDEL', CHARGES, id)
  end
  call('ZREM', CHARGED_UNTIL, id)
end
--- Whether there is no room for a result of so many bytes: `FlowLoad.overfull` of `libs/runner/src/flow`.
local function overfull(id, queueKey, bytes)
  local all, flow = unpack(call('HMGET', evaluationKey(id), 'allResults', 'flowResults'))
  local function full(held, share) return held >= share or bytes > share end
  if full(number(RESULT_BYTES, ''), tonumber(all or math.huge)) then return true end
  return queueKey.level ~= 'exempt' and full(number(RESULT_BYTES, queueKey.flowPath), tonumber(flow or math.huge))
end
--- How long results of so many bytes are kept after the end, ms: `retentionOf` of `retention.ts`.
local function retentionOf(bytes, retentionMs)
  local share = math.min(1, SMALL_RESULT_BYTES / math.max(bytes, 1))
  return math.max(math.floor(retentionMs * share), math.min(retentionMs, LEAST_RETENTION_MS))
end
--- An evaluation is over: from now on its results expire, the sooner the larger they are.
local function expireResults(id)
  local packed = call('HGET', CHARGES, id)
  local bytes = packed and cmsgpack.unpack(packed).bytes or 0
  local ms = retentionOf(bytes, number(evaluationKey(id), 'retention'))
  for _, name in ipairs({ evaluationKey(id), resultsKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  if packed then call('ZADD', CHARGED_UNTIL, nowMs() + ms, id) end
end
