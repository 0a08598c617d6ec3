--- Repairs the keys that all evaluations share after other software damaged them. A key of another type gets a name with `:damaged:`, and expires a day later.
--- Values of another form are deleted. An evaluation that lost a part fails, and the others go on. The tree of the fair queue and all counts are made anew.
--- @invariant no command meets keys of which only some are repaired
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation whose acceptance failed halfway, so that it can be accepted again; empty if there is none
--- @returns the names of the keys that had another type, and the ids of the evaluations that failed
--- @include include/life
--- @include include/recount

local KEEP_DAMAGED_MS = 86400000
local report = {}

--- Moves a key away if it has another type. Returns whether it had.
local function keep(kind, name)
  local held = call('TYPE', name).ok
  if held == 'none' or held == kind then return false end
  local aside = PREFIX .. ':damaged:' .. string.sub(name, #PREFIX + 2)
  call('RENAME', name, aside)
  call('PEXPIRE', aside, KEEP_DAMAGED_MS)
  table.insert(report, name)
  return true
end
--- The table in a packed value that has all these fields as numbers; nil for any other value.
local function tableWith(packed, numbers)
  local ok, value = pcall(cmsgpack.unpack, packed or '')
  if not ok or type(value) ~= 'table' then return nil end
  for _, field in ipairs(numbers) do
    if type(value[field]) ~= 'number' then return nil end
  end
  return value
end
local function isQueueKey(key)
  if type(key) ~= 'table' or type(key.weight) ~= 'number' then return false end
  for _, field in ipairs({ 'level', 'flow', 'division', 'leaf', 'levelPath', 'flowPath', 'divisionPath' }) do
    if type(key[field]) ~= 'string' then return false end
  end
  return key.level == 'exempt' or LEVEL_WEIGHTS[key.level] ~= nil
end

--- Nodes of the tree that are known: they are made anew.
local nodes = { [''] = true, exempt = true }
local function addPaths(queueKey)
  for _, node in ipairs({ queueKey.levelPath, queueKey.flowPath, queueKey.divisionPath }) do nodes[node] = true end
end

if args.id ~= '' then
  -- The acceptance may have failed at a node to which no other way leads.
  local queueKey = call('TYPE', LIVING).ok == 'hash' and tableWith(call('HGET', LIVING, args.id), {})
  if queueKey and isQueueKey(queueKey) then addPaths(queueKey) end
  call('DEL', evaluationKey(args.id), waitingKey(args.id), bodiesKey(args.id), resultsKey(args.id))
  if call('TYPE', LIVING).ok == 'hash' then call('HDEL', LIVING, args.id) end
end

local hashes = { VIRTUAL_TIME, FINISH, RUNNING, CHUNKS, BYTES, EVALUATIONS, RESULT_BYTES, CHARGES, LIVING, LEAVES, LEASED, SEATS, FREE_SEATS, ENDED }
for _, name in ipairs(hashes) do keep('hash', name) end
for _, name in ipairs({ CHARGED_UNTIL, LEASES, CONSUMERS, TOKEN_TAKERS }) do keep('zset', name) end
keep('set', PREFIX .. ':studies')
for _, name in ipairs({ VIRTUAL_TIME, FINISH, SEATS, FREE_SEATS }) do
  for _, field in ipairs(call('HKEYS', name)) do
    if not tonumber(call('HGET', name, field)) then call('HDEL', name, field) end
  end
end

--- Leases whose content is readable, counted by evaluation.
local leases = {}
for _, name in ipairs(call('HKEYS', LEASED)) do
  local lease = tableWith(call('HGET', LEASED, name), { 'chunk', 'claims', 'items', 'bytes', 'cost' })
  if lease and isQueueKey(lease.queueKey) and type(lease.evaluation) == 'string' and call('ZSCORE', LEASES, name) then
    leases[lease.evaluation] = (leases[lease.evaluation] or 0) + 1
  else
    call('HDEL', LEASED, name)
    call('ZREM', LEASES, name)
  end
end
for _, name in ipairs(call('ZRANGE', LEASES, 0, -1)) do
  if call('HEXISTS', LEASED, name) == 0 then call('ZREM', LEASES, name) end
end

for _, id in ipairs(call('HKEYS', CHARGES)) do
  local charged = tableWith(call('HGET', CHARGES, id), { 'bytes' })
  if not charged or type(charged.levelPath) ~= 'string' or type(charged.flowPath) ~= 'string' then
    call('HDEL', CHARGES, id)
    call('ZREM', CHARGED_UNTIL, id)
  elseif call('HEXISTS', LIVING, id) == 0 and not call('ZSCORE', CHARGED_UNTIL, id) then
    call('ZADD', CHARGED_UNTIL, nowMs() + math.max(0, call('PTTL', resultsKey(id))), id)
  end
end

for level in pairs(LEVEL_WEIGHTS) do nodes[level] = true end
local function addChildren(node, depth)
  nodes[node] = true
  if depth == 0 or call('TYPE', readyKey(node)).ok ~= 'zset' then return end
  for _, child in ipairs(call('ZRANGE', readyKey(node), 0, -1)) do addChildren(node .. '/' .. child, depth - 1) end
end
for level in pairs(LEVEL_WEIGHTS) do addChildren(level, 2) end
addChildren('exempt', 2)

--- Whether all that a living evaluation needs is there, in its form.
local function isWhole(id, queueKey)
  local key, damaged = evaluationKey(id), false
  for name, kind in pairs({ [key] = 'hash', [waitingKey(id)] = 'list', [bodiesKey(id)] = 'hash', [resultsKey(id)] = 'hash' }) do
    if keep(kind, name) then damaged = true end
  end
  if damaged or not isQueueKey(queueKey) then return false end
  local state = stateOf(id)
  if (state ~= 'receiving' and state ~= 'running') or call('HEXISTS', key, 'record') == 0 then return false end
  for _, field in ipairs({ 'total', 'done', 'next', 'deadline', 'itemMs', 'flowBytes', 'allResults', 'flowResults', 'retention' }) do
    if not tonumber(call('HGET', key, field)) then return false end
  end
  for _, field in ipairs(call('HKEYS', key)) do
    if (field == 'celSpent' or string.find(field, '^[np]:')) and not tonumber(call('HGET', key, field)) then return false end
  end
  for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
    if not tableWith(packed, { 'chunk', 'claims', 'items', 'bytes', 'queuedAt' }) then return false end
  end
  call('HSET', key, 'claimed', leases[id] or 0)
  return number(key, 'done') + (leases[id] or 0) + call('LLEN', waitingKey(id)) >= number(key, 'total')
end
--- An evaluation ends as failed, whatever is left of it.
local function fail(id, queueKey)
  table.insert(report, id)
  call('HDEL', LIVING, id)
  call('DEL', waitingKey(id), bodiesKey(id))
  if call('EXISTS', evaluationKey(id)) == 1 then
    call('HSET', evaluationKey(id), 'state', 'failed')
    if tonumber(call('HGET', evaluationKey(id), 'total') or '') == nil then call('HSET', evaluationKey(id), 'total', 0) end
    if queueKey then call('HSET', ENDED, id, 'lost') end
  end
  call('PUBLISH', CHANGES, id)
  call('PUBLISH', CANCELLATIONS, id)
end

local known = {}
for _, id in ipairs(call('HKEYS', LIVING)) do known[id] = true end
for _, id in ipairs(call('HVALS', LEAVES)) do known[id] = true end
call('DEL', LEAVES)
local waiting = {}
for id in pairs(known) do
  local queueKey = tableWith(call('HGET', LIVING, id), {})
  if queueKey and isQueueKey(queueKey) then addPaths(queueKey) end
  if isWhole(id, queueKey) then
    call('HSET', LEAVES, queueKey.leaf, id)
    if call('EXISTS', waitingKey(id)) == 1 then table.insert(waiting, queueKey) end
  else
    fail(id, queueKey)
  end
end
for node in pairs(nodes) do
  if not keep('zset', readyKey(node)) then call('DEL', readyKey(node)) end
end
for _, queueKey in ipairs(waiting) do arrive(queueKey) end
recount()
return report
