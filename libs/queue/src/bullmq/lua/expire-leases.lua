--- Takes back chunks whose lease ran out.
--- @invariant only a lease that has run out by the server's clock is taken back, and only once
--- KEYS[1] prefix
--- @argument all boolean  all leases, as if every consumer had died long ago
--- @returns chunks that wait
--- @include include/life

local until_ = args.all and '+inf' or exact(nowMs())
for _, name in ipairs(call('ZRANGE', LEASES, '-inf', until_, 'BYSCORE', 'LIMIT', 0, LEASES_A_CALL)) do giveBack(name, 'expire', nil) end
return number(CHUNKS, '')
