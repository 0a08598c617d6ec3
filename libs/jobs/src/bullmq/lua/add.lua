--- Performs one step of the submission of a job. The first step adds the job, each step appends parts, and the last step seals the job.
--- If the first step is refused, nothing is stored.
--- @invariant a repeated part is counted once. The parts are stored only if the counts of the flow, read in the same step, leave room
--- KEYS[1] prefix
--- @argument id string  Id of the job
--- @argument job AddedJob | undefined  Record, flow, times and limits of the job; undefined if it was added in an earlier step
--- @argument parts readonly PartArguments[]  Parts of this step, in order. A part that is sent again is recognized by its first item
--- @argument ttlMs number  Lifetime of the parts' keys, in ms
--- @argument isWhole boolean  True if no more parts will follow
--- @returns {answer, end, named…}. `answer` is `accepted` if the job was added, `added` if only parts were added, or the name of the limit that refuses the step.
--- @returns It is `exists` if a job with this id is already stored, and `over` if the job takes no more parts. `end` is `complete` if the job has no parts, and empty otherwise. `named` are jobs
--- @returns that this process must add to BullMQ, each with flow, parts, bytes and definition. A retry of the call returns the same answer and end
--- @include include/life

local id, key = args.id, jobKey(args.id)

--- Returns the reason why a flow may add no further job, or nil.
local function refusesJob(flow, limits)
  if number(BYTES, '') >= limits.bytes then return 'bytes' end
  if number(RESULT_BYTES, '') >= limits.results then return 'results' end
  if lineOf(flow) == 'exempt' then return nil end
  if number(JOBS, '') >= limits.jobs then return 'evaluations' end
  if number(JOBS, flow) >= limits.flowJobs then return 'flow-evaluations' end
  if number(PARTS, flow) >= limits.flowParts then return 'flow-chunks' end
  if number(BYTES, flow) >= limits.flowBytes then return 'flow-bytes' end
  return number(RESULT_BYTES, flow) >= limits.flowResults and 'flow-results' or nil
end
--- Returns the reason why a part is refused, or nil. An empty flow or queue accepts a part of any size.
local function refusesPart(flow, bytes)
  local all, flowBytes = unpack(call('HMGET', key, 'allBytes', 'flowBytes'))
  local held, flowHeld = number(BYTES, ''), number(BYTES, flow)
  if held > 0 and held + bytes > tonumber(all) then return 'bytes' end
  return lineOf(flow) ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > tonumber(flowBytes) and 'flow-bytes' or nil
end

local function add(job)
  local limits = job.limits
  local refusal = stateOf(id) == 'unknown' and refusesJob(job.flow, limits)
  if refusal then return refusal end
  local function open()
    call('HSET', key, 'flow', job.flow, 'record', job.record, 'born', job.born, 'fence', job.born, 'total', 0, 'done', 0, 'bytes', 0, 'next', 0)
    call('HSET', key, 'deadline', exact(nowMs() + job.leftMs), 'allBytes', exact(limits.bytes), 'flowBytes', exact(limits.flowBytes))
    call('HSET', key, 'allResults', exact(limits.results), 'flowResults', exact(limits.flowResults), 'retention', exact(job.retentionMs))
    if job.definition then call('HSET', key, 'definition', job.definition) end
    call('PEXPIRE', key, exact(job.ttlMs))
    local index, kept = indexKey(job.flow), job.ttlMs + INDEX_SPARE_MS
    call('ZADD', index, exact(nowMs()), id)
    -- The index may still contain expired jobs without a result.
    call('ZREMRANGEBYSCORE', index, '-inf', exact(nowMs() - kept))
    call('PEXPIRE', index, exact(math.max(kept, call('PTTL', index))))
    call('SET', FORM, REDIS_FORM, 'NX')
    call('HSET', LIVING, id, job.flow)
    count(JOBS, job.flow, 1)
  end
  return happen(id, 'add', {}, { open = open })
end

--- Appends a part. Returns `added`, `over`, or the name of the limit that refuses it.
local function append(part)
  local flow = flowOf(id)
  local resent = part.firstItem < number(key, 'next')
  local refusal = stateOf(id) == 'receiving' and not resent and refusesPart(flow, part.bytes)
  if refusal then return refusal end
  local function keep()
    call('HSET', bodiesKey(id), call('HINCRBY', key, 'total', 1) - 1, part.body)
    call('HINCRBY', key, 'bytes', exact(part.bytes))
    put(key, 'next', part.firstItem + part.items)
    countWaiting(flow, 1, part.bytes)
    local ms = math.max(args.ttlMs, call('PTTL', key))
    for _, name in ipairs({ key, bodiesKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  end
  return happen(id, 'append', { resent = resent }, { keep = keep })
end

local answer = 'added'
if args.job then
  -- The reply to an earlier, identical call was lost.
  if call('HGET', key, 'born') == args.job.born then return reply(id, 'accepted', 'seal') end
  answer = add(args.job)
  if answer ~= 'accepted' then return { answer, '' } end
end
for _, part in ipairs(args.parts) do
  local added = append(part)
  if added ~= 'added' then
    if args.job then happen(id, 'forget') end
    return withNamed({ added, '' })
  end
end
if not args.isWhole and stateOf(id) == 'receiving' then put(key, 'steppedAt', nowMs()) end
if args.isWhole and happen(id, 'seal', { last = number(key, 'total') == 0 }, { by = 'seal' }) ~= 'sealed' then answer = 'over' end
return reply(id, answer, 'seal')
