--- Writes as every command does: fails where the server takes no writes (memory full, a replica, no leave).
--- @invariant a server may take commands and refuse scripts: this asks as all commands do
--- KEYS[1] prefix
--- @argument ttlMs number  how long what is written stays, ms
--- @returns nothing
--- @include include/keys

call('SET', PREFIX .. ':probe', 1, 'PX', exact(args.ttlMs))
