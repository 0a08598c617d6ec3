--- Drops an evaluation with all it has.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns forgotten
--- @include include/life

return happen(args.id, 'forget')
