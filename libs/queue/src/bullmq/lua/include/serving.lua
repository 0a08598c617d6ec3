--- Which processes serve evaluations that clients wait for.
--- @include include/keys

--- A process sends a heartbeat that counts for so many ms; 0: it ends.
local function heartbeat(process, ms)
  call('ZADD', SERVING, nowMs() + ms, process)
  if ms > 0 then call('PEXPIRE', SERVING, 2 * ms) end
end
