--- Accepts an evaluation that is there as a whole, with its chunks in order, and seals it; or refuses it: then nothing is kept.
--- @invariant an evaluation is stored completely or not at all
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument evaluation AcceptedEvaluation
--- @argument limits AdmissionLimits
--- @argument chunks readonly ChunkArguments[]
--- @argument ttlMs number  how long the chunks' keys live, ms
--- @returns {accepted | exists | a refusal, 'complete' where it is detached and had nothing to do, else '', chunks that wait}
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
