--- Drops a result that its only reader has read. The field stays, so that a late second result is recognized. An absent field
--- is not created, since it would never expire.
--- @invariant a result that has expired is not made anew
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk number  its index
--- @returns nothing
--- @include include/keys

local key = resultsKey(args.id)
if call('EXISTS', key) == 1 then
  call('HSET', key, args.chunk, '')
  local part = 0
  while call('HDEL', key, string.format('%d.%d', args.chunk, part)) == 1 do part = part + 1 end
end
