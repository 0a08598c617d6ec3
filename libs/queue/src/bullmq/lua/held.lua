--- Tells which starts of jobs may still store results.
--- @invariant state and fence of a job are of the same moment
--- KEYS[1] prefix
--- @argument starts readonly StartArguments[]  Starts of jobs
--- @returns for each start 1 if its job runs and has not begun again, and 0 otherwise
--- @include include/life

local answers = {}
for i, start in ipairs(args.starts) do
  local superseded = tonumber(call('HGET', jobKey(start.id), 'fence') or '') ~= start.fence
  answers[i] = happen(start.id, 'hold', { superseded = superseded }) == 'held' and 1 or 0
end
return answers
