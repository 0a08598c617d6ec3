--- Drops a result that its only reader has read. The field stays, so that a late second result is still known as one; what is not there is not
--- made anew, since it would never expire.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument chunk number  its index
--- @returns nothing
--- @include include/keys

if call('EXISTS', resultsKey(args.id)) == 1 then call('HSET', resultsKey(args.id), args.chunk, '') end
