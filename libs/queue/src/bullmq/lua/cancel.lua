--- Ends an evaluation: waiting chunks are dropped, and consumers of running ones get a message.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns cancelled | over
--- @include include/life

return happen(args.id, 'cancel')
