--- Seals an evaluation, which means that no more chunks will be added.
--- @invariant an evaluation is complete if its last chunk is already done when the evaluation is sealed
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @returns {answer, end}. `answer` is `sealed`, or `gone` if the evaluation is unknown.
--- @returns `end` is `complete` if this call, or the call that it repeats, ended a detached evaluation. Otherwise `end` is empty
--- @include include/admission

return seal(args.id)
