--- Gives a claimed chunk back. Its flow gets its charge back, too.
--- @invariant a chunk goes back once, and only if the lease still holds it
--- KEYS[1] prefix
--- @argument lease string  the claim's
--- @returns released | gone
--- @include include/life

return giveBack(args.lease, 'release', 0)
