--- Registers an evaluation, or refuses it without storing anything.
--- @invariant an evaluation is counted only if the counts of its flow, read in the same step, leave room
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument evaluation AcceptedEvaluation  Record, queue key and times of the evaluation
--- @argument limits AdmissionLimits  Limits above which the evaluation is refused
--- @returns `accepted`, `exists` if an evaluation with this id is already stored, or the name of the limit that refuses the evaluation
--- @include include/admission

return accept(args.id, args.evaluation, args.limits)
