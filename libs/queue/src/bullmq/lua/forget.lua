--- Drops an evaluation with all it has.
--- @invariant the counts fall by what the evaluation holds at this moment
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns forgotten
--- @include include/life

return happen(args.id, 'forget')
