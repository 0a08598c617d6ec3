--- Ends an evaluation: waiting chunks are dropped, who runs others is told.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns cancelled | over
--- @include include/life

return happen(args.id, 'cancel')
