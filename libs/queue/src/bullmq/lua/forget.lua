--- Deletes an evaluation with everything that is stored for it.
--- @invariant the counts decrease by the values that the evaluation has at this moment
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @returns `forgotten`
--- @include include/life

return happen(args.id, 'forget')
