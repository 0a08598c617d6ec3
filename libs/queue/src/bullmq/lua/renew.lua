--- Tells which claims still hold their chunks; BullMQ prolongs the locks of their jobs.
--- @invariant a claim, its evaluation and its chunk are of one moment
--- KEYS[1] prefix
--- @argument leases readonly string[]  their names
--- @returns for each 1 (held) or 0 (the chunk is another consumer's by now, or its evaluation is over)
--- @include include/life

local answers = {}
for i, name in ipairs(args.leases) do
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  local held = lease and happen(id, 'renew', { superseded = not holds(lease, id) }, {})
  answers[i] = held == 'held' and 1 or 0
end
return answers
