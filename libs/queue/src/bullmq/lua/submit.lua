--- Accepts an evaluation that is there as a whole, with its chunks in order, and seals it; or refuses it: then nothing is kept.
--- @invariant all of an evaluation is there, or nothing of it
--- KEYS[1] prefix
--- @argument id string  evaluation
--- @argument evaluation AcceptedEvaluation
--- @argument limits AdmissionLimits
--- @argument chunks readonly ChunkArguments[]
--- @argument ttlMs number  how long the chunks' keys live, ms
--- @returns {accepted | exists | a refusal, 'complete' if it is detached and had nothing to do, else '', of each chunk: job, index, flow, priority}
--- @include include/admission

local answer = accept(args.id, args.evaluation, args.limits)
if answer ~= 'accepted' then return { answer, '' } end
local jobs = {}
for _, chunk in ipairs(args.chunks) do
  local queued, job = enqueue(args.id, chunk, args.ttlMs, args.limits.bytes)
  if queued ~= 'queued' then
    happen(args.id, 'forget')
    return { queued, '' }
  end
  for _, field in ipairs(job) do table.insert(jobs, field) end
end
return { 'accepted', seal(args.id)[2], unpack(jobs) }
