--- Stores the result of a claimed chunk, once. Result, count and tally change together, so they cannot disagree.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk number  its index
--- @argument lease string  the claim's
--- @argument spentMs number | undefined  what the chunk took of a seat
--- @argument judgedMs number | undefined  what its items took on their thread
--- @argument result Uint8Array  packed
--- @argument bytes number  of its verdicts
--- @argument celCharge number  CEL cost units
--- @argument tally Readonly<Record<string, number>>  what is added to the evaluation's fields
--- @argument ttlMs number  how long the evaluation and its results live from now on, ms
--- @returns {stored | duplicate | gone | tooLarge, 'complete' or 'tooLarge' where this ended a detached evaluation (the same when it is sent again), else ''}
--- @include include/life

local id, key = args.id, evaluationKey(args.id)
local lease = leaseOf(args.lease)
local held = holds(lease, id)
local queueKey = livingKey(id)
local detached = queueKey and queueKey.detached
local facts = {
  judged = call('HEXISTS', resultsKey(id), args.chunk) == 1,
  superseded = not held,
  overfull = detached and overfull(id, queueKey, args.bytes),
  last = number(key, 'done') + 1 == number(key, 'total'),
}
local function store()
  call('HSET', resultsKey(id), args.chunk, args.result)
  call('HDEL', bodiesKey(id), args.chunk)
  if detached then charge(id, queueKey, args.bytes) end
  call('HINCRBY', key, 'done', 1)
  call('HINCRBYFLOAT', key, 'celSpent', exact(args.celCharge))
  for field, by in pairs(args.tally) do call('HINCRBYFLOAT', key, field, exact(by)) end
  for _, name in ipairs({ key, resultsKey(id) }) do call('PEXPIRE', name, exact(args.ttlMs)) end
end
local subject = { lease = args.lease, settled = lease, held = held, spentMs = args.spentMs, judgedMs = args.judgedMs, store = store, by = args.lease }
return reply(id, happen(id, 'commit', facts, subject), args.lease)
