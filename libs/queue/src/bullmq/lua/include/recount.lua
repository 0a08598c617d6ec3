--- Computes the counts of all flows anew, from the evaluations, results and leases that are stored.
--- @include include/life

--- What was lost took part of the counts along: they are made anew.
local function recount()
  call('DEL', CHUNKS, BYTES, EVALUATIONS, RUNNING, RESULT_BYTES)
  for _, id in ipairs(call('HKEYS', LIVING)) do
    local queueKey = livingKey(id)
    count(EVALUATIONS, queueKey, 1)
    for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
      count(CHUNKS, queueKey, 1)
      count(BYTES, queueKey, cmsgpack.unpack(packed).bytes)
    end
  end
  for _, id in ipairs(call('HKEYS', CHARGES)) do
    local charged = cmsgpack.unpack(call('HGET', CHARGES, id))
    count(RESULT_BYTES, charged, charged.bytes)
    if call('EXISTS', resultsKey(id)) == 0 then discharge(id) end
  end
  for _, name in ipairs(call('ZRANGE', LEASES, 0, -1)) do
    local lease = leaseOf(name)
    if lease then countRunning(lease.queueKey, 1) else call('ZREM', LEASES, name) end
  end
  for _, name in ipairs(call('HKEYS', LEASED)) do
    if not call('ZSCORE', LEASES, name) then call('HDEL', LEASED, name) end
  end
end
