--- Ends expired leases, and returns their chunks to the queue. One call handles only a limited number of leases.
--- @invariant only a lease that has expired by the server's clock is ended, and only once
--- KEYS[1] prefix
--- @argument all boolean  True to end all leases, as if every consumer had died long ago
--- @returns the number of waiting chunks of all evaluations
--- @include include/life

local until_ = args.all and '+inf' or exact(nowMs())
for _, name in ipairs(call('ZRANGE', LEASES, '-inf', until_, 'BYSCORE', 'LIMIT', 0, LEASES_A_CALL)) do giveBack(name, 'expire', nil) end
return number(CHUNKS, '')
