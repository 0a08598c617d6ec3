--- Drops the stored result of a chunk after its only reader has read it. The chunk's field in the hash of results remains, so that a late second result is recognized.
--- If all results of the evaluation have expired, the field is not created, because it would never expire.
--- @invariant an expired result is not created again
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument chunk number  Index of the chunk in its evaluation, from 0
--- @returns nothing
--- @include include/keys

local key = resultsKey(args.id)
if call('EXISTS', key) == 1 then
  call('HSET', key, args.chunk, '')
end
