--- Registers the consumers of a process for a time, and removes consumers whose registration has expired. Only one process per period also repairs the stored state.
--- This process first discharges expired results. For each living job, the first applicable rule is used.
--- Rule 1. The job fails if its record or a part without a result is lost.
--- Rule 2. The job is cancelled if its deadline passed more than `graceMs` ago. By then, no process works on it.
--- Rule 3. The job is cancelled if the last step of its submission was more than `stepMs` ago. By then, its submitter has failed.
--- Rule 4. If the job is neither in the line of its flow nor in BullMQ, it is put there again.
--- @invariant all compared data come from the same moment, and each end is reported to only one process
--- KEYS[1] prefix
--- @argument consumers readonly ConsumerArguments[]  Consumers of the process
--- @argument periodMs number  Time in ms after the last repair within which this process does not repair; at most 60000. If the time is 0, it neither repairs nor names jobs
--- @argument graceMs number  Time in ms after its deadline at which a job is cancelled
--- @argument stepMs number  Time in ms after a step of its submission at which a job that is not whole is cancelled
--- @argument nonce string  Random text that only this call and its repetitions use
--- @returns {living, did, ends, named, lines, seats}. `living` is the number of jobs that have not ended. `did` is `repaired`, or empty. `ends` are jobs that ended
--- @returns without a reply to another command, each with its end (`lost` or `cancelled`). One call and its repetitions return them. `named` are jobs that this process
--- @returns must add to BullMQ. `lines` are the lines that have living jobs in BullMQ. `seats` are all consumers, each with its seats and its free seats
--- @include include/life

local REMEMBERED_MS, UNADDED_MS = 60000, 1000
local now = nowMs()

local isIdle = call('HLEN', LIVING) == 0
for _, consumer in ipairs(args.consumers) do
  if consumer.ms == 0 then
    call('ZREM', CONSUMERS, consumer.name)
  else
    call('SET', FORM, REDIS_FORM, 'NX')
    call('ZADD', CONSUMERS, exact(now + (isIdle and consumer.idleMs or consumer.ms)), consumer.name)
    call('HSET', SEATS, consumer.name, exact(consumer.seats))
    call('HSET', FREE_SEATS, consumer.name, exact(consumer.free))
  end
end
--- Returns a hash, or a sorted set with scores, as a table.
local function tableOf(flat)
  local entries = {}
  for i = 1, #flat, 2 do entries[flat[i]] = flat[i + 1] end
  return entries
end
local registered, free = tableOf(call('ZRANGE', CONSUMERS, 0, -1, 'WITHSCORES')), tableOf(call('HGETALL', FREE_SEATS))
local seats = {}
for consumer, its in pairs(tableOf(call('HGETALL', SEATS))) do
  if tonumber(registered[consumer] or 0) <= now then
    call('ZREM', CONSUMERS, consumer)
    call('HDEL', SEATS, consumer)
    call('HDEL', FREE_SEATS, consumer)
  else
    for _, word in ipairs({ consumer, its, free[consumer] or '0' }) do table.insert(seats, word) end
  end
end

--- Fails if other software changed the type of a key, so that the caller repairs it.
local function check(types, keyOf)
  for name, kind in pairs(types) do
    if isOther(kind, keyOf(name)) then error('WRONGTYPE ' .. keyOf(name) .. ' is no ' .. kind) end
  end
end
--- Returns the jobs that wait or run in BullMQ's queue for a line.
local inBull = {}
local function bullJobs(line)
  if not inBull[line] then
    check(BULL_TYPES, function(name) return bullKey(line, name) end)
    -- Without an expiry, the key would stop BullMQ's search for jobs of dead processes.
    if call('PTTL', bullKey(line, 'stalled-check')) == -1 then call('DEL', bullKey(line, 'stalled-check')) end
    inBull[line] = {}
    for _, list in ipairs({ 'wait', 'active' }) do
      for _, id in ipairs(call('LRANGE', bullKey(line, list), 0, -1)) do inBull[line][id] = true end
    end
  end
  return inBull[line]
end
--- Returns true if BullMQ has a job with valid content.
local function isInBull(line, id)
  local fields = call('HMGET', bullKey(line, id), 'data', 'opts')
  return bullJobs(line)[id] and string.sub(fields[1] or '', 1, 1) == '{' and string.sub(fields[2] or '', 1, 1) == '{'
end
--- Repairs the line of a flow. `running` contains the flow's running jobs.
local function mendLine(flow, running)
  local line, known = lineOf(flow), {}
  for _, id in ipairs(call('SMEMBERS', standingKey(flow))) do
    known[id] = true
    if not running[id] then
      call('SREM', standingKey(flow), id)
    elseif not call('ZSCORE', NAMED, id) and not isInBull(line, id) then
      call('DEL', bullKey(line, id))
      for _, list in ipairs({ 'wait', 'active' }) do call('LREM', bullKey(line, list), 0, id) end
      name(id, flow)
    end
  end
  for _, id in ipairs(call('LRANGE', waitingKey(flow), 0, -1)) do known[id] = true end
  for id in pairs(running) do
    if not known[id] then joinLine(id, flow) end
  end
  nameNext(flow)
end

local function isLost(id, record, total, state)
  if not record or (state ~= 'receiving' and state ~= 'running') then return true end
  local judged = call('HLEN', resultsKey(id))
  return call('HLEN', bodiesKey(id)) + judged < tonumber(total) or (state == 'running' and judged >= tonumber(total))
end
local function repairState()
  check(SHARED_TYPES, function(name) return PREFIX .. ':' .. name end)
  for _, id in ipairs(call('ZRANGE', CHARGED_UNTIL, '-inf', exact(now), 'BYSCORE', 'LIMIT', 0, CHARGES_A_CALL)) do discharge(id) end
  local found, flows = 0, {}
  local living = call('HGETALL', LIVING)
  for i = 1, #living, 2 do
    local id, flow = living[i], living[i + 1]
    local record, total, deadline, state, steppedAt = unpack(call('HMGET', jobKey(id), 'record', 'total', 'deadline', 'state', 'steppedAt'))
    if isLost(id, record, total, state) then
      lose(id)
      found = found + 1
    elseif tonumber(deadline) + args.graceMs < now or (state == 'receiving' and tonumber(steppedAt or now) + args.stepMs < now) then
      happen(id, 'cancel')
      found = found + 1
    elseif state == 'running' then
      flows[flow] = flows[flow] or {}
      flows[flow][id] = true
    end
  end
  for flow, running in pairs(flows) do mendLine(flow, running) end
  if found > 0 then recount() end
end

local told = call('GET', toldKey(args.nonce))
-- The key's remaining lifetime shows when a process last repaired. Idle processes have a longer period than busy ones.
local left = call('PTTL', PREFIX .. ':repairing')
local repairs = not told and args.periodMs > 0 and (left < 0 or REMEMBERED_MS - left >= args.periodMs)
if repairs then
  call('SET', PREFIX .. ':repairing', 1, 'PX', exact(REMEMBERED_MS))
  repairState()
end
local ends = told and cmsgpack.unpack(told) or repairs and call('HGETALL', ENDED) or {}
if repairs and #ends > 0 then
  call('DEL', ENDED)
  call('SET', toldKey(args.nonce), cmsgpack.pack(ends), 'PX', exact(TOLD_MS))
end

-- The process that had to add a job to BullMQ may have died before it did so.
for _, id in ipairs(args.periodMs > 0 and call('ZRANGE', NAMED, '-inf', exact(now - UNADDED_MS), 'BYSCORE') or {}) do
  if stateOf(id) == 'running' then name(id, flowOf(id)) else call('ZREM', NAMED, id) end
end
local lines = {}
for _, line in ipairs(isIdle and {} or LINE_NAMES) do
  if call('EXISTS', bullKey(line, 'wait'), bullKey(line, 'active')) > 0 then table.insert(lines, line) end
end
return { call('HLEN', LIVING), repairs and 'repaired' or '', ends, named, lines, seats }
