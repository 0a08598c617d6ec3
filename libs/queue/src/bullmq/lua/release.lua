--- Returns a claimed chunk to the queue. The flow (the queue of one client) that was charged for the chunk gets the charge back.
--- @invariant a chunk is returned only once, and only if the lease still holds it
--- KEYS[1] prefix
--- @argument lease string  Name of the lease that the claim returned
--- @returns `released`, or `gone` if the lease or the evaluation has ended
--- @include include/life

return giveBack(args.lease, 'release', 0)
