--- Heartbeats of the processes that serve evaluations whose clients wait.
--- @include include/keys

--- A process sends a heartbeat that counts for so many ms; 0: it ends.
local function heartbeat(process, ms)
  call('ZADD', SERVING, nowMs() + ms, process)
  if ms > 0 then call('PEXPIRE', SERVING, 2 * ms) end
end
