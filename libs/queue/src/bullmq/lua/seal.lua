--- No more chunks will come.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns {sealed | gone, 'complete' where this ended an evaluation that nobody waits for (the same when it is sent again), else ''}
--- @include include/admission

return seal(args.id)
