--- Accepts evaluations, adds their chunks, and seals them.
--- @include include/life

--- Why no further evaluation of a flow is accepted; nil when it is.
local function refusesEvaluation(queueKey, limits)
  if number(BYTES, '') >= limits.bytes then return 'bytes' end
  if number(RESULT_BYTES, '') >= limits.results then return 'results' end
  if queueKey.level == 'exempt' then return nil end
  if number(EVALUATIONS, '') >= limits.evaluations then return 'evaluations' end
  if number(EVALUATIONS, queueKey.flowPath) >= limits.flowEvaluations then return 'flow-evaluations' end
  if number(CHUNKS, queueKey.flowPath) >= limits.flowChunks then return 'flow-chunks' end
  if number(BYTES, queueKey.flowPath) >= limits.flowBytes then return 'flow-bytes' end
  return number(RESULT_BYTES, queueKey.flowPath) >= limits.flowResults and 'flow-results' or nil
end
--- Why a chunk is not taken; nil when it is. A flow, or queue, that holds nothing takes a chunk of any size.
local function refusesChunk(queueKey, bytes, allBytes, flowBytes)
  local held, flowHeld = number(BYTES, ''), number(BYTES, queueKey.flowPath)
  if held > 0 and held + bytes > allBytes then return 'bytes' end
  return queueKey.level ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > flowBytes and 'flow-bytes' or nil
end

local function accept(id, evaluation, limits)
  local queueKey = withPaths(evaluation.queueKey)
  local refusal = stateOf(id) == 'unknown' and refusesEvaluation(queueKey, limits)
  if refusal then return refusal end
  local function open()
    local key = evaluationKey(id)
    call('HSET', key, 'record', evaluation.record, 'born', evaluation.born, 'total', 0, 'done', 0, 'claimed', 0, 'next', 0)
    call('HSET', key, 'deadline', exact(nowMs() + evaluation.leftMs), 'itemMs', exact(evaluation.itemMs), 'flowBytes', exact(limits.flowBytes))
    call('HSET', key, 'allResults', exact(limits.results), 'flowResults', exact(limits.flowResults), 'retention', exact(evaluation.retentionMs))
    if evaluation.definition then call('HSET', key, 'definition', evaluation.definition) end
    call('PEXPIRE', key, exact(evaluation.ttlMs))
    call('SET', FORM, REDIS_FORM, 'NX')
    call('HSET', LIVING, id, cmsgpack.pack(queueKey))
    call('HSET', LEAVES, queueKey.leaf, id)
    count(EVALUATIONS, queueKey, 1)
  end
  return happen(id, 'accept', {}, { open = open, queueKey = queueKey })
end

--- `chunk`: {firstItem, items, bytes, body}. A chunk that is sent again is recognized by its first item. -> queued, over, or a refusal
local function enqueue(id, chunk, ttlMs, allBytes)
  local key = evaluationKey(id)
  local queueKey = livingKey(id)
  if not queueKey then return 'over' end
  local resent = chunk.firstItem < number(key, 'next')
  local refusal = stateOf(id) == 'receiving' and not resent and refusesChunk(queueKey, chunk.bytes, allBytes, number(key, 'flowBytes'))
  if refusal then return refusal end
  local function queue()
    local index = call('HINCRBY', key, 'total', 1) - 1
    put(key, 'next', chunk.firstItem + chunk.items)
    call('HSET', bodiesKey(id), index, chunk.body)
    wait(id, queueKey, { chunk = index, claims = 0, items = chunk.items, bytes = chunk.bytes }, false)
    for _, name in ipairs({ key, waitingKey(id), bodiesKey(id) }) do call('PEXPIRE', name, exact(ttlMs)) end
  end
  return happen(id, 'enqueue', { resent = resent }, { queue = queue, queueKey = queueKey })
end

local function seal(id)
  local key = evaluationKey(id)
  return reply(id, happen(id, 'seal', { last = call('HGET', key, 'done') == call('HGET', key, 'total') }, { by = 'seal' }), 'seal')
end
