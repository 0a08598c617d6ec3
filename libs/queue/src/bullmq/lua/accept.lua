--- Makes an evaluation known, or refuses it: then nothing is kept.
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument evaluation AcceptedEvaluation
--- @argument limits AdmissionLimits
--- @returns accepted | exists | a refusal
--- @include include/admission

return accept(args.id, args.evaluation, args.limits)
