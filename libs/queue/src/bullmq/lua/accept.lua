--- Makes an evaluation known, or refuses it: then nothing is kept.
--- @invariant an evaluation is counted only while the counts of its flow, read in the same step, leave room
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument evaluation AcceptedEvaluation
--- @argument limits AdmissionLimits
--- @returns accepted | exists | a refusal
--- @include include/admission

return accept(args.id, args.evaluation, args.limits)
