--- Life of an evaluation. This part performs the transitions of `EVALUATION_LIFE` (`life/evaluation-life.ts`), which `transitionOf` of `include/constants` returns.
--- @include include/results

local function stateOf(id) return call('HGET', evaluationKey(id), 'state') or 'unknown' end

--- What a lease is for: {evaluation, born, queueKey, chunk, claims, items, bytes, cost}; nil when it is not held.
local function leaseOf(name)
  local packed = call('HGET', LEASED, name)
  if not packed or not call('ZSCORE', LEASES, name) then return nil end
  return cmsgpack.unpack(packed)
end
--- Whether a lease is of this evaluation, and not of one that was forgotten and had the same id.
local function holds(lease, id) return lease and lease.evaluation == id and lease.born == call('HGET', evaluationKey(id), 'born') end

--- A lease ends and its seat is free. `held`: it is of an evaluation that is still known; `spentMs` corrects what the flow was charged, `judgedMs` what items are expected to take; nil: unknown.
local function settle(name, lease, held, spentMs, judgedMs)
  call('ZREM', LEASES, name)
  call('HDEL', LEASED, name)
  countRunning(lease.queueKey, -1)
  local id, key = lease.evaluation, evaluationKey(lease.evaluation)
  if held then
    call('HINCRBY', key, 'claimed', -1)
    if judgedMs and call('HEXISTS', LIVING, id) == 1 then
      local itemMs = learnedPrice(number(key, 'itemMs'), lease.items, lease.bytes, judgedMs)
      put(key, 'itemMs', itemMs)
      local digest = call('HGET', key, 'definition')
      if digest then call('SET', priceKey(digest), exact(itemMs), 'PX', PRICE_MS) end
    end
  end
  if spentMs then correct(lease.queueKey, spentMs - lease.cost) end
end

--- The queue key of an evaluation that lives, or lived when the event came.
local function queueKeyOf(id, subject)
  subject.queueKey = subject.queueKey or livingKey(id)
  return subject.queueKey
end

--- What each effect of a transition does. `subject` has what the event is about; `by` names the call that is told how it ended the evaluation: without it
--- reconcile tells.
local effects = {
  open = function(id, subject) subject.open(id) end,
  queue = function(id, subject) subject.queue(id) end,
  lend = function(_, subject) call('ZADD', LEASES, nowMs() + subject.leaseMs, subject.lease) end,
  store = function(id, subject) subject.store(id) end,
  requeue = function(id, subject)
    local lease = subject.settled
    local waiting = { chunk = lease.chunk, claims = lease.claims + 1, items = lease.items, bytes = lease.bytes }
    wait(id, queueKeyOf(id, subject), waiting, true)
  end,
  close = function(id, subject)
    local queueKey = queueKeyOf(id, subject)
    call('HDEL', LIVING, id)
    call('HDEL', LEAVES, queueKey.leaf)
    count(EVALUATIONS, queueKey, -1)
    for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
      count(CHUNKS, queueKey, -1)
      count(BYTES, queueKey, -cmsgpack.unpack(packed).bytes)
    end
    leave(queueKey)
    call('DEL', waitingKey(id), bodiesKey(id))
    expireResults(id)
  end,
  erase = function(id)
    call('DEL', evaluationKey(id), waitingKey(id), bodiesKey(id), resultsKey(id))
    discharge(id)
  end,
  wake = function(id) call('PUBLISH', CHANGES, id) end,
  stop = function(id) call('PUBLISH', CANCELLATIONS, id) end,
  ['end'] = function(id, subject, state)
    if subject.by then
      call('HSET', evaluationKey(id), 'finisher', subject.by)
    else
      call('HSET', ENDED, id, state == 'failed' and 'lost' or state)
    end
  end,
}

--- Carries a transition out: the lease that ends, the state, the effects.
local function carryOut(id, state, transition, subject)
  if subject.settled then settle(subject.lease, subject.settled, subject.held, subject.spentMs, subject.judgedMs) end
  if transition.to ~= state and transition.to ~= 'unknown' then
    call('HSET', evaluationKey(id), 'state', transition.to)
  end
  for _, effect in ipairs(transition.effects) do effects[effect](id, subject, transition.to) end
  return transition.answer
end
--- Lets an event happen to an evaluation.
local function happen(id, event, facts, subject)
  local state = stateOf(id)
  return carryOut(id, state, transitionOf(state, event, facts or {}), subject or {})
end
--- An evaluation that lives has lost some of its keys, even its own state perhaps; what is not there is not made anew.
local function lose(id)
  if call('HEXISTS', LIVING, id) == 0 then return end
  local known = call('EXISTS', evaluationKey(id)) == 1
  carryOut(id, known and 'running' or 'failed', transitionOf('running', 'lose', {}), {})
end
--- An answer, and how an evaluation ended (complete, cancelled or tooLarge) where this call, or the one that it repeats, ended it.
local function reply(id, answer, by) return { answer, call('HGET', evaluationKey(id), 'finisher') == by and stateOf(id) or '' } end
--- A lease ends without a result; `event`: release or expire.
local function giveBack(name, event, spentMs)
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  if not lease then
    call('ZREM', LEASES, name)
    call('HDEL', LEASED, name)
    return 'gone'
  end
  local held = holds(lease, id)
  return happen(id, event, { superseded = not held }, { lease = name, settled = lease, held = held, spentMs = spentMs })
end
