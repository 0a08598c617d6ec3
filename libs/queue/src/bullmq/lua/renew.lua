--- Extends the leases of claimed chunks.
--- @invariant a lease is extended only if it still holds its chunk
--- KEYS[1] prefix
--- @argument leases readonly string[]  Names of the leases
--- @argument leaseMs number  Duration of the extended leases from now on, in ms
--- @returns a list with a number for each lease. The number is 1 if the lease was extended. It is 0 if another consumer has the chunk or the evaluation has ended
--- @include include/life

local answers = {}
for i, name in ipairs(args.leases) do
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  local held = lease and happen(id, 'renew', { superseded = not holds(lease, id) }, { lease = name, leaseMs = args.leaseMs })
  answers[i] = held == 'held' and 1 or 0
end
return answers
