--- Finds waiting chunks whose jobs BullMQ lacks: their adding was lost, or the jobs were. A claim whose job is gone is given back.
--- @invariant a chunk and its job are looked at in one moment
--- KEYS[1] prefix
--- @argument periodMs number  no other process does it within this time
--- @returns {1 if the base of priorities must move, of each chunk: job, evaluation, index, flow, priority, items, bytes}
--- @include include/life

if not call('SET', PREFIX .. ':mending', 1, 'NX', 'PX', exact(args.periodMs)) then return { 0 } end
local leased = call('HGETALL', LEASED)
for i = 1, #leased, 2 do
  if call('EXISTS', jobKey(leased[i])) == 0 then giveBack(leased[i] .. '/' .. cmsgpack.unpack(leased[i + 1]).token, 'expire') end
end
local answer = { number(TAGS, '') - number(TAGS, 'base') > MOST_TICKS * TICK_MS / 2 and 1 or 0 }
for _, id in ipairs(call('HKEYS', LIVING)) do
  local born, queueKey = call('HGET', evaluationKey(id), 'born'), livingKey(id)
  local isWaiting = born and call('TYPE', waitingKey(id)).ok == 'hash'
  -- Chunks that have jobs are served, so that one of those that have none is soon found.
  local probe = isWaiting and call('HRANDFIELD', waitingKey(id))
  if probe and call('EXISTS', jobKey(jobOf(born, probe))) == 0 then
    for _, packed in ipairs(call('HVALS', waitingKey(id))) do
      local run = cmsgpack.unpack(packed)
      local job = jobOf(born, run.chunk)
      if #answer < 7 * JOBS_A_CALL and call('EXISTS', jobKey(job)) == 0 then
        for _, word in ipairs({ job, id, run.chunk, queueKey.flowPath, priorityOf(queueKey, run.tag), run.items, run.bytes }) do table.insert(answer, word) end
      end
    end
  end
end
return answer
