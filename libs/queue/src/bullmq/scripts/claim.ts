import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * ARGV lease ms. → nil | {lease, body, record, CEL units spent, waited ms}. The choice is that of `FairQueue.pick`. A chunk whose body is
 * gone fails its evaluation: it can never be complete.
 */
export const CLAIM = `${FAIR_QUEUING}
local now = nowMs()
local function seatsPerFlow()
  local seats = 0
  for _, consumer in ipairs(call('ZRANGE', P .. ':consumers', '(' .. now, '+inf', 'BYSCORE')) do
    seats = seats + tonumber(string.match(consumer, '|(%d+)$'))
  end
  return seats > 0 and math.max(1, math.ceil(seats / 2)) or math.huge
end
local function choose(cap)
  local exempt = call('ZRANGE', ready('exempt'), 0, 0)[1]
  if exempt then return 'exempt', exempt end
  local levels = call('ZRANGE', ready(''), 0, -1)
  for _, bound in ipairs({ cap, math.huge }) do
    for _, level in ipairs(levels) do
      local from = 0
      repeat
        local flows = call('ZRANGE', ready(level), from, from + 15)
        for _, flow in ipairs(flows) do
          if number(RUN, level .. '/' .. flow) < bound then return level, flow end
        end
        from = from + 16
      until #flows < 16
    end
  end
end

local cap = seatsPerFlow()
while true do
  local level, flow = choose(cap)
  if not level then return nil end
  local divisions = level .. '/' .. flow
  local division = call('ZRANGE', ready(divisions), 0, 0)[1]
  local leaf = call('ZRANGE', ready(divisions .. '/' .. division), 0, 0)[1]
  local id = string.sub(leaf, 14)
  local key = evaluationKey(id)
  local text = call('HGET', P .. ':living', id)
  local ref = text and call('LPOP', waitingKey(id))
  if not ref then
    -- Its keys were lost; the place is taken away, and the sweep finds out what became of the evaluation.
    leave({ level = level, flow = flow, division = division, leaf = leaf, flows = level, divisions = divisions, evaluations = divisions .. '/' .. division })
  else
    local p = placeOf(text)
    local chunk, claims, items, bytes, queuedAt = string.match(ref, '^(%d+)|(%d+)|(%d+)|(%d+)|(%d+)$')
    count(CHUNKS, p, -1)
    count(BYTES, p, -bytes)
    local cost = chunkCost(number(key, 'itemMs'), tonumber(items), tonumber(bytes))
    serve(p, cost, call('EXISTS', waitingKey(id)) == 1)
    local body, record = call('HGET', bodiesKey(id), chunk), call('HGET', key, 'record')
    if body and record then
      for _, path in ipairs({ p.flows, p.divisions }) do call('HINCRBY', RUN, path, 1) end
      call('HINCRBY', key, 'claimed', 1)
      local lease = table.concat({ chunk, claims, items, bytes, exact(cost), text }, '|')
      call('ZADD', P .. ':leases', now + ARGV[1], lease)
      return { lease, body, record, call('HGET', key, 'celSpent') or '0', tostring(now - queuedAt) }
    end
    if record then call('HSET', key, 'failed', 'the chunks were lost') end
    -- The next audit tells somebody.
    if over(id) == 'detached' then call('INCR', P .. ':lost') end
    call('PUBLISH', P .. ':changes', id)
  end
end`;

/** ARGV lease ms, consumer, seats, then leases. → for each 1 (prolonged) or 0 (somebody else's by now, or its evaluation is over). */
export const RENEW = `${FAIR_QUEUING}
local now = nowMs()
local answers = {}
for i = 2, #ARGV do
  local held = call('ZSCORE', P .. ':leases', ARGV[i])
  local wanted = held and living(leaseOf(ARGV[i]).id)
  if wanted then call('ZADD', P .. ':leases', now + ARGV[1], ARGV[i]) end
  answers[i - 1] = wanted and 1 or 0
end
return answers`;

/** ARGV period ms, then consumers as \`<name>|<seats>\`; a period of 0 takes them away. */
export const JOIN = `${FAIR_QUEUING}
local now = nowMs()
for i = 2, #ARGV do
  if ARGV[1] == '0' then call('ZREM', P .. ':consumers', ARGV[i]) else call('ZADD', P .. ':consumers', now + ARGV[1], ARGV[i]) end
end
call('ZREMRANGEBYSCORE', P .. ':consumers', '-inf', now)`;
