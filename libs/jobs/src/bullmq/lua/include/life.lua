--- Life of a job. This part performs the transitions of `JOB_LIFE` (`life/job-life.ts`), which `transitionOf` of `include/constants` returns.
--- It also charges stored results to the flow of the job until they are dropped or expire.
--- @include include/line

local function stateOf(id) return call('HGET', jobKey(id), 'state') or 'unknown' end
--- Returns the number of parts of a job without a result, and their bytes.
local function waitingOf(id)
  local fields = call('HMGET', jobKey(id), 'total', 'done', 'bytes')
  return tonumber(fields[1] or '0') - tonumber(fields[2] or '0'), tonumber(fields[3] or '0')
end
local function countWaiting(flow, parts, bytes)
  count(PARTS, flow, parts)
  count(BYTES, flow, bytes)
end

local function charge(id, flow, bytes)
  local packed = call('HGET', CHARGES, id)
  local charged = packed and cmsgpack.unpack(packed) or { bytes = 0, flow = flow }
  charged.bytes = charged.bytes + bytes
  call('HSET', CHARGES, id, cmsgpack.pack(charged))
  count(RESULT_BYTES, flow, bytes)
end
local function discharge(id)
  local packed = call('HGET', CHARGES, id)
  if packed then
    local charged = cmsgpack.unpack(packed)
    count(RESULT_BYTES, charged.flow, -charged.bytes)
    call('HDEL', CHARGES, id)
    if call('EXISTS', jobKey(id)) == 0 then call('ZREM', indexKey(charged.flow), id) end
  end
  call('ZREM', CHARGED_UNTIL, id)
end
--- Returns the time in ms for which results are stored after the end: `retentionOf` of `limits.ts`.
local function retentionOf(bytes, retentionMs)
  local share = math.min(1, SMALL_RESULT_BYTES / math.max(bytes, 1))
  return math.max(math.floor(retentionMs * share), math.min(retentionMs, MIN_RETENTION_MS))
end
--- Sets the expiry of the results of an ended job. Larger results expire sooner.
local function expireResults(id)
  local packed = call('HGET', CHARGES, id)
  local bytes = packed and cmsgpack.unpack(packed).bytes or 0
  local ms = retentionOf(bytes, number(jobKey(id), 'retention'))
  for _, name in ipairs({ jobKey(id), resultsKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  if packed then call('ZADD', CHARGED_UNTIL, exact(nowMs() + ms), id) end
end

--- Functions that apply the effects of a transition. `subject` contains the data of the event. Its field `by` names the call that reports the job's end.
--- Without this field, a heartbeat reports the end.
local effects = {
  open = function(_, subject) subject.open() end,
  keep = function(_, subject) subject.keep() end,
  line = function(id)
    put(jobKey(id), 'sealedAt', nowMs())
    joinLine(id, flowOf(id))
  end,
  fence = function(_, subject) subject.fence() end,
  store = function(_, subject) subject.store() end,
  note = function(_, subject) subject.note() end,
  close = function(id)
    local flow = flowOf(id)
    local parts, bytes = waitingOf(id)
    call('HDEL', LIVING, id)
    count(JOBS, flow, -1)
    countWaiting(flow, -parts, -bytes)
    call('DEL', bodiesKey(id))
    leaveLine(id, flow)
    expireResults(id)
  end,
  erase = function(id)
    local flow = flowOf(id)
    if flow then call('ZREM', indexKey(flow), id) end
    call('DEL', jobKey(id), bodiesKey(id), resultsKey(id))
    discharge(id)
  end,
  wake = function(id) call('PUBLISH', CHANGES, id) end,
  stop = function(id) call('PUBLISH', CANCELLATIONS, id) end,
  ['end'] = function(id, subject, state)
    if subject.by then
      call('HSET', jobKey(id), 'finisher', subject.by)
    else
      call('HSET', ENDED, id, state == 'failed' and 'lost' or state)
    end
  end,
}

--- Performs a transition: changes the state and applies the effects.
local function carryOut(id, state, transition, subject)
  if transition.to ~= state and transition.to ~= 'unknown' then call('HSET', jobKey(id), 'state', transition.to) end
  for _, effect in ipairs(transition.effects) do effects[effect](id, subject, transition.to) end
  return transition.answer
end
--- Lets an event happen to a job.
local function happen(id, event, facts, subject)
  local state = stateOf(id)
  return carryOut(id, state, transitionOf(state, event, facts or {}), subject or {})
end
--- Ends a living job that has lost some of its keys, perhaps even its state. Lost keys are not created again.
local function lose(id)
  local known = call('EXISTS', jobKey(id)) == 1
  carryOut(id, known and 'running' or 'failed', transitionOf('running', 'lose', {}), {})
end
--- Returns an answer, the end of the job if this call or its first attempt ended it, and the named jobs.
local function reply(id, answer, by)
  return withNamed({ answer, call('HGET', jobKey(id), 'finisher') == by and stateOf(id) or '' })
end

--- Computes all counts again, because lost keys made them wrong.
local function recount()
  call('DEL', JOBS, PARTS, BYTES, RESULT_BYTES)
  for _, id in ipairs(call('HKEYS', LIVING)) do
    local flow = call('HGET', LIVING, id)
    count(JOBS, flow, 1)
    countWaiting(flow, waitingOf(id))
  end
  for _, id in ipairs(call('HKEYS', CHARGES)) do
    local charged = cmsgpack.unpack(call('HGET', CHARGES, id))
    count(RESULT_BYTES, charged.flow, charged.bytes)
    if call('EXISTS', resultsKey(id)) == 0 then discharge(id) end
  end
end
