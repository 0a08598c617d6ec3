--- No more chunks will come.
--- @invariant an evaluation is complete if the last chunk is done at the moment at which no more can come
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @returns {sealed | gone, 'complete' where this ended a detached evaluation (the same when it is sent again), else ''}
--- @include include/admission

return seal(args.id)
