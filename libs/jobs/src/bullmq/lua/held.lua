--- Returns which starts of jobs may still store results, and stores their notes.
--- @invariant state and fence of a job are of the same moment
--- KEYS[1] prefix
--- @argument starts readonly StartArguments[]  Starts of jobs, some with a note
--- @returns for each start 1 if its job runs and has not begun again, and 0 otherwise. For a start with a note, 1 if the note was stored
--- @include include/life

local answers = {}
for i, start in ipairs(args.starts) do
  local key = jobKey(start.id)
  local superseded = tonumber(call('HGET', key, 'fence') or '') ~= start.fence
  local function note() call('HSET', key, 'note', start.note, 'percent', exact(start.percent)) end
  local answer = happen(start.id, start.note and 'note' or 'hold', { superseded = superseded }, { note = note })
  answers[i] = (answer == 'held' or answer == 'noted') and 1 or 0
end
return answers
