--- Stores the result of the first items of a claimed chunk, and gives the chunk back with its other items, to be claimed again.
--- @invariant the result of a part and the rest of the chunk change together, and only if the lease still holds the chunk
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk number  its index
--- @argument part number  results of earlier items of the chunk that are stored
--- @argument lease string  the claim's
--- @argument spentMs number  what the items took of a seat
--- @argument result ResultArguments
--- @argument rest ChunkArguments  the other items
--- @returns {stored | gone | tooLarge, 'tooLarge' where this ended a detached evaluation (the same when it is sent again), else ''}
--- @include include/life

local id, rest = args.id, args.rest
local lease = leaseOf(args.lease)
local held = holds(lease, id)
local queueKey = livingKey(id)
local subject = { lease = args.lease, settled = lease, held = held, spentMs = args.spentMs, judgedMs = args.result.judgedMs, rest = rest, by = args.lease }
if held and queueKey and queueKey.detached and overfull(id, queueKey, args.result.bytes) then
  return reply(id, happen(id, 'commit', { overfull = true }, subject), args.lease)
end
local answer = happen(id, 'release', { superseded = not held }, subject)
if answer == 'released' then
  storeResult(id, queueKey, string.format('%d.%d', args.chunk, args.part), args.result)
  call('HSET', bodiesKey(id), args.chunk, rest.body)
  return { 'stored', '' }
end
return reply(id, 'gone', args.lease)
