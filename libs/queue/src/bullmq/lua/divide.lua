--- Stores the result of the first items of a claimed chunk, and returns the chunk with its other items to the queue.
--- @invariant result and remaining items change together, and only if the lease still holds the chunk
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument chunk number  Index of the chunk in its evaluation, from 0
--- @argument part number  Number of partial results that are already stored for earlier items of the chunk
--- @argument lease string  Name of the lease that the claim returned
--- @argument spentMs number  Time in ms for which the judged items occupied a seat
--- @argument result ResultArguments  Result of the first items
--- @argument rest ChunkArguments  Chunk with the other items
--- @returns {answer, end}. `answer` is `stored`, `gone` if the lease or the evaluation has ended, or `tooLarge` if the limits for stored results are reached.
--- @returns `end` is `tooLarge` if this call ended a detached evaluation (no client waits for it), and empty otherwise. A retry of the call returns the same
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
