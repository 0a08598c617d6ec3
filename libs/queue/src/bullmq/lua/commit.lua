--- Stores the result of a claimed chunk, once. Result, count and tally change together, so they cannot disagree.
--- @invariant a result is stored once, and only if the lease still holds the chunk
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk number  its index
--- @argument lease string  the claim's
--- @argument spentMs number | undefined  what the chunk took of a seat
--- @argument result ResultArguments
--- @returns {stored | duplicate | gone | tooLarge, 'complete' or 'tooLarge' if this ended a detached evaluation, also if sent again, else ''}
--- @include include/life

local id, key = args.id, evaluationKey(args.id)
local lease = leaseOf(args.lease)
local held = holds(lease, id)
local queueKey = livingKey(id)
local detached = queueKey and queueKey.detached
local facts = {
  judged = call('HEXISTS', resultsKey(id), args.chunk) == 1,
  superseded = not held,
  overfull = detached and overfull(id, queueKey, args.result.bytes),
  last = number(key, 'done') + 1 == number(key, 'total'),
}
local function store()
  storeResult(id, queueKey, args.chunk, args.result)
  call('HDEL', bodiesKey(id), args.chunk)
  call('HINCRBY', key, 'done', 1)
end
local subject = { lease = args.lease, settled = lease, held = held, spentMs = args.spentMs, judgedMs = args.result.judgedMs, store = store, by = args.lease }
return reply(id, happen(id, 'commit', facts, subject), args.lease)
