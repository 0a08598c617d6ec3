--- Seals an evaluation, which means that no more chunks will be added.
--- @invariant no chunk ends between the check for unfinished chunks and the sealing, so exactly one command completes the evaluation
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @returns {answer, end}. `answer` is `sealed`, or `gone` if the evaluation is unknown.
--- @returns `end` is `complete` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same
--- @include include/admission

return seal(args.id)
