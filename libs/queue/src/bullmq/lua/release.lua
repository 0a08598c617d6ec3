--- Gives a claimed chunk back. What its flow was charged for it is given back, too.
--- KEYS[1] prefix
--- @argument lease string  the claim's
--- @returns released | gone
--- @include include/life

return giveBack(args.lease, 'release', 0)
