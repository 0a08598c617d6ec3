--- Prolongs leases.
--- @invariant a lease is prolonged only if it still holds its chunk
--- KEYS[1] prefix
--- @argument leases readonly string[]  their names
--- @argument leaseMs number  from now on, ms
--- @returns for each 1 (prolonged) or 0 (the chunk is another consumer's by now, or its evaluation is over)
--- @include include/life

local answers = {}
for i, name in ipairs(args.leases) do
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  local held = lease and happen(id, 'renew', { superseded = not holds(lease, id) }, { lease = name, leaseMs = args.leaseMs })
  answers[i] = held == 'held' and 1 or 0
end
return answers
