--- Moves the base of priorities to the virtual time.
--- @invariant all chunks that wait are told with priorities of one base
--- KEYS[1] prefix
--- @returns {job, priority, …} of the chunks that wait
--- @include include/life

put(TAGS, 'base', number(TAGS, ''))
local answer = {}
for _, id in ipairs(call('HKEYS', LIVING)) do
  local queueKey, born = livingKey(id), call('HGET', evaluationKey(id), 'born')
  for _, packed in ipairs(call('HVALS', waitingKey(id))) do
    local run = cmsgpack.unpack(packed)
    table.insert(answer, jobOf(born, run.chunk))
    table.insert(answer, priorityOf(queueKey, run.tag))
  end
end
return answer
