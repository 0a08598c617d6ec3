--- Repairs the keys that all jobs share, and BullMQ's keys, after other software damaged them. A key of another type gets a name with `:damaged:`, and expires a day later.
--- Values of another form are deleted. A job that lost a part fails, and the others continue. All counts are computed again. The next heartbeat repairs the lines of the flows.
--- @invariant no command meets keys of which only some are repaired
--- KEYS[1] prefix
--- @argument id string  Id of the job whose addition failed halfway, so that it can be added again; empty if there is none
--- @returns the names of the keys that had another type, and the ids of the jobs that failed
--- @include include/life

local KEEP_DAMAGED_MS = 86400000
local report = {}

--- Renames a key if it has another type. Returns true if it did.
local function keep(kind, name)
  if not isOther(kind, name) then return false end
  local aside = PREFIX .. ':damaged:' .. string.sub(name, #PREFIX + 2)
  call('RENAME', name, aside)
  call('PEXPIRE', aside, KEEP_DAMAGED_MS)
  table.insert(report, name)
  return true
end
local function isFlow(flow)
  for _, line in ipairs(LINE_NAMES) do
    if type(flow) == 'string' and string.sub(flow, 1, #line + 1) == line .. '/' then return true end
  end
  return false
end
--- Returns the charge in a packed value, or nil for any other value.
local function chargeIn(packed)
  local ok, charged = pcall(cmsgpack.unpack, packed or '')
  return ok and type(charged) == 'table' and type(charged.bytes) == 'number' and isFlow(charged.flow) and charged or nil
end

for name, kind in pairs(SHARED_TYPES) do keep(kind, PREFIX .. ':' .. name) end
for _, name in ipairs({ SEATS, FREE_SEATS }) do
  for _, field in ipairs(call('HKEYS', name)) do
    if not tonumber(call('HGET', name, field)) then call('HDEL', name, field) end
  end
end
if args.id ~= '' then
  call('DEL', jobKey(args.id), bodiesKey(args.id), resultsKey(args.id))
  call('HDEL', LIVING, args.id)
end

--- All jobs that may live. BullMQ's lists know some even if the hash of living jobs was lost.
local known, flows = {}, {}
for _, id in ipairs(call('HKEYS', LIVING)) do known[id] = true end
for _, line in ipairs(LINE_NAMES) do
  for name, kind in pairs(BULL_TYPES) do keep(kind, bullKey(line, name)) end
  if not tonumber(call('GET', bullKey(line, 'id')) or '0') then call('DEL', bullKey(line, 'id')) end
  for _, field in ipairs({ 'concurrency', 'max', 'duration', 'opts.maxLenEvents' }) do
    if not tonumber(call('HGET', bullKey(line, 'meta'), field) or '0') then call('DEL', bullKey(line, 'meta')) end
  end
  for _, list in ipairs({ 'wait', 'active' }) do
    for _, id in ipairs(call('LRANGE', bullKey(line, list), 0, -1)) do
      known[id] = true
      keep('hash', bullKey(line, id))
      keep('string', bullKey(line, id .. ':lock'))
    end
  end
end
--- Returns the flow of a job, or nil if it is unreadable.
local function readFlow(id)
  local flow = call('HGET', LIVING, id)
  if isFlow(flow) then return flow end
  flow = not isOther('hash', jobKey(id)) and call('HGET', jobKey(id), 'flow')
  return isFlow(flow) and flow or nil
end
local inLines = {}
for id in pairs(known) do
  local flow = readFlow(id)
  if flow and not flows[flow] then
    flows[flow] = true
    keep('list', waitingKey(flow))
    keep('set', standingKey(flow))
    for _, other in ipairs(call('LRANGE', waitingKey(flow), 0, -1)) do inLines[other] = true end
    for _, other in ipairs(call('SMEMBERS', standingKey(flow))) do
      inLines[other] = true
      keep('hash', bullKey(lineOf(flow), other))
    end
  end
end
for id in pairs(inLines) do known[id] = true end

for _, id in ipairs(call('HKEYS', CHARGES)) do
  if not chargeIn(call('HGET', CHARGES, id)) then
    call('HDEL', CHARGES, id)
    call('ZREM', CHARGED_UNTIL, id)
  elseif call('HEXISTS', LIVING, id) == 0 and not call('ZSCORE', CHARGED_UNTIL, id) then
    call('ZADD', CHARGED_UNTIL, exact(nowMs() + math.max(0, call('PTTL', resultsKey(id)))), id)
  end
end

--- Returns true if all data of a living job exist and are valid.
local function isWhole(id)
  local key, damaged = jobKey(id), false
  for name, kind in pairs({ [key] = 'hash', [bodiesKey(id)] = 'hash', [resultsKey(id)] = 'hash' }) do
    if keep(kind, name) then damaged = true end
  end
  local state = not damaged and stateOf(id)
  if (state ~= 'receiving' and state ~= 'running') or call('HEXISTS', key, 'record') == 0 or not isFlow(call('HGET', key, 'flow')) then return false end
  for _, field in ipairs({ 'total', 'done', 'bytes', 'next', 'fence', 'deadline', 'allBytes', 'flowBytes', 'allResults', 'flowResults', 'retention' }) do
    if not tonumber(call('HGET', key, field)) then return false end
  end
  for _, field in ipairs(call('HKEYS', key)) do
    local counts = field == 'celSpent' or field == 'starts' or field == 'unrewarded' or field == 'sealedAt' or field == 'steppedAt' or string.find(field, '^[np]:')
    if counts and not tonumber(call('HGET', key, field)) then return false end
  end
  local judged, total = call('HLEN', resultsKey(id)), number(key, 'total')
  if judged ~= number(key, 'done') or (state == 'running' and judged >= total) then return false end
  return call('HLEN', bodiesKey(id)) + judged >= total
end
--- Ends a job as failed, even if only some of its keys are left.
local function fail(id)
  table.insert(report, id)
  call('HDEL', LIVING, id)
  call('DEL', bodiesKey(id))
  if call('EXISTS', jobKey(id)) == 1 then
    call('HSET', jobKey(id), 'state', 'failed')
    if not tonumber(call('HGET', jobKey(id), 'total') or '') then call('HSET', jobKey(id), 'total', 0) end
    call('HSET', ENDED, id, 'lost')
  end
  call('PUBLISH', CHANGES, id)
  call('PUBLISH', CANCELLATIONS, id)
end

for id in pairs(known) do
  local whole = isWhole(id)
  local state = stateOf(id)
  if whole then
    local flow = call('HGET', jobKey(id), 'flow')
    call('HSET', LIVING, id, flow)
    call('ZADD', indexKey(flow), 'NX', exact(nowMs()), id)
    if call('PTTL', indexKey(flow)) < 0 then call('PEXPIRE', indexKey(flow), exact(INDEX_SPARE_MS)) end
  elseif call('HEXISTS', LIVING, id) == 1 or state == 'receiving' or state == 'running' then
    fail(id)
  end
end
recount()
return report
