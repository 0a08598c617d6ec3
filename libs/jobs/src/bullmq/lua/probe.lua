--- Tests whether the Redis server accepts writes: sets a key by a script, as all other commands do. Fails if the server accepts no writes (memory full, replica, no permission).
--- @invariant a server may accept plain commands but refuse scripts, so the probe must also be a script
--- KEYS[1] prefix
--- @returns nothing
--- @include include/keys

call('SET', PREFIX .. ':probe', 1, 'PX', 10000)
