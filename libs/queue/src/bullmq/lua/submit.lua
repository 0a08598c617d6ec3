--- Accepts a whole evaluation with all its chunks in order and seals it, so that no more chunks can follow.
--- If the evaluation is refused, nothing is stored.
--- @invariant an evaluation is stored completely or not at all
--- KEYS[1] prefix
--- @argument id string  Id of the evaluation
--- @argument evaluation AcceptedEvaluation  Record, queue key and times of the evaluation
--- @argument limits AdmissionLimits  Limits above which the evaluation is refused
--- @argument chunks readonly ChunkArguments[]  Chunks of the evaluation, in order
--- @argument ttlMs number  Lifetime of the chunks' keys, in ms
--- @returns {answer, end, waiting}. `answer` is `accepted`, `exists` if an evaluation with this id is already stored, or the name of the limit that refuses the evaluation.
--- @returns `end` is `complete` if the evaluation has no chunks. Otherwise `end` is empty. `waiting` is the number of waiting chunks of all evaluations
--- @include include/admission

local answer = accept(args.id, args.evaluation, args.limits)
if answer ~= 'accepted' then return { answer, '', number(CHUNKS, '') } end
for _, chunk in ipairs(args.chunks) do
  answer = enqueue(args.id, chunk, args.ttlMs, args.limits.bytes)
  if answer ~= 'queued' then
    happen(args.id, 'forget')
    return { answer, '', number(CHUNKS, '') }
  end
end
return { 'accepted', seal(args.id)[2], number(CHUNKS, '') }
