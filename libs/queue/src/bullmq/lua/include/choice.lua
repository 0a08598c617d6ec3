--- Chooses the next chunk by the same rules as `FairQueue.pick`.
--- @include include/fair-queuing

--- Seats that one flow may hold while others wait: half of all, at least one; all where the number is unknown.
local function seatsPerFlow(now)
  local seats = 0
  for _, consumer in ipairs(call('ZRANGE', CONSUMERS, '(' .. exact(now), '+inf', 'BYSCORE')) do seats = seats + number(SEATS, consumer) end
  return seats > 0 and math.max(1, math.ceil(seats / 2)) or math.huge
end
local function choose(cap)
  local exempt = call('ZRANGE', readyKey('exempt'), 0, 0)[1]
  if exempt then return 'exempt', exempt end
  local levels = call('ZRANGE', readyKey(''), 0, -1)
  for _, bound in ipairs({ cap, math.huge }) do
    for _, level in ipairs(levels) do
      local from = 0
      repeat
        local flows = call('ZRANGE', readyKey(level), from, from + 15)
        for _, flow in ipairs(flows) do
          if number(RUNNING, level .. '/' .. flow) < bound then return level, flow end
        end
        from = from + 16
      until #flows < 16
    end
  end
end
--- The queue key at the front of a flow, as far as the tree knows it.
local function front(level, flow)
  local division = call('ZRANGE', readyKey(level .. '/' .. flow), 0, 0)[1]
  local queueKey = withPaths({ level = level, flow = flow, division = division, weight = 1 })
  queueKey.leaf = call('ZRANGE', readyKey(queueKey.divisionPath), 0, 0)[1]
  return queueKey
end
