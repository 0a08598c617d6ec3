--- Stores the result of a claimed chunk once. Result, count and tally change together, so that they always agree.
--- @invariant a result is stored only once, and only if the lease still holds the chunk
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument chunk number  Index of the chunk in its evaluation, from 0
--- @argument lease string  Name of the lease that the claim returned
--- @argument spentMs number | undefined  Time in ms for which the chunk occupied a seat; undefined if unknown
--- @argument result ResultArguments  Result of the chunk
--- @returns {answer, end}. `answer` is `stored`, or `duplicate` if a result of the chunk is already stored. `answer` is `gone` if the lease or the evaluation has ended,
--- @returns or `tooLarge` if the limits for stored results are reached.
--- @returns `end` is `complete` or `tooLarge` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same
--- @include include/life

local id, key = args.id, evaluationKey(args.id)
local lease = leaseOf(args.lease)
local held = holds(lease, id)
local queueKey = livingKey(id)
local facts = {
  judged = call('HEXISTS', resultsKey(id), args.chunk) == 1,
  superseded = not held,
  overfull = queueKey and overfull(id, queueKey, args.result.bytes),
  last = number(key, 'done') + 1 == number(key, 'total'),
}
local function store()
  local result = args.result
  call('HSET', resultsKey(id), args.chunk, result.packed)
  charge(id, queueKey, result.bytes)
  call('HINCRBYFLOAT', key, 'celSpent', exact(result.celCharge))
  for name, by in pairs(result.tally) do call('HINCRBYFLOAT', key, name, exact(by)) end
  for _, name in ipairs({ key, resultsKey(id) }) do call('PEXPIRE', name, exact(result.ttlMs)) end
  call('HDEL', bodiesKey(id), args.chunk)
  call('HINCRBY', key, 'done', 1)
end
local subject = { lease = args.lease, settled = lease, held = held, spentMs = args.spentMs, judgedMs = args.result.judgedMs, store = store, by = args.lease }
return reply(id, happen(id, 'commit', facts, subject), args.lease)
