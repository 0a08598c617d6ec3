import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * ARGV lease ms. → nil | {lease, body, record, CEL units spent, waited ms}. The choice is that of `FairQueue.pick`. A chunk whose body is
 * gone fails its evaluation: it can never be complete.
 */
export const TAKE = `${FAIR_QUEUING}
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



local job, token = ARGV[1], ARGV[2]
local function give(c, queuedAt)
  local id = c.id
  local key = evaluationKey(id)
  local body, record = call('HGET', bodiesKey(id), c.chunk), call('HGET', key, 'record')
  if body and record and call('HEXISTS', P .. ':living', id) == 1 then
    c.token = token
    putClaim(job, c)
    return { c.chunk, tostring(c.claims), exact(c.cost), c.place.level, body, record, call('HGET', key, 'celSpent') or '0', queuedAt and tostring(now - queuedAt) or '0' }
  end
  vacate(job, c, 0)
  if record and call('HEXISTS', P .. ':living', id) == 1 then call('HSET', key, 'failed', 'the chunks were lost') end
  if over(id) == 'detached' then call('INCR', P .. ':lost') end
  call('PUBLISH', P .. ':changes', id)
end
local stalled = claimOf(job)
if stalled then
  stalled.claims = stalled.claims + 1
  local given = give(stalled)
  if given then return given end
end
local cap = seatsPerFlow()
while true do
  local level, flow = choose(cap)
  if not level then return nil end
  local divisions = level .. '/' .. flow
  local division = call('ZRANGE', ready(divisions), 0, 0)[1]
  local leaf = call('ZRANGE', ready(divisions .. '/' .. division), 0, 0)[1]
  local id = string.sub(leaf, 14)
  local text = call('HGET', P .. ':living', id)
  local ref = text and call('LPOP', waitingKey(id))
  if not ref then
    leave({ level = level, flow = flow, division = division, leaf = leaf, flows = level, divisions = divisions, evaluations = divisions .. '/' .. division })
  else
    local queuedAt = charge(placeOf(text), id, job, ref)
    local given = give(claimOf(job), queuedAt)
    if given then return given end
  end
end`;

/** ARGV evaluations. → for each 1 where it lives and the claim is held */
export const LIVING = `${FAIR_QUEUING}
local answers = {}
for i, lease in ipairs(ARGV) do
  local c = claimOf(string.match(lease, '^[^|]+'))
  answers[i] = c and string.match(lease, '|(.*)$') == c.token and living(c.id) and 1 or 0
end
return answers`;

/** ARGV period ms, then consumers as \`<name>|<seats>\`; a period of 0 takes them away. */
export const JOIN = `${FAIR_QUEUING}
local now = nowMs()
for i = 2, #ARGV do
  if ARGV[1] == '0' then call('ZREM', P .. ':consumers', ARGV[i]) else call('ZADD', P .. ':consumers', now + ARGV[1], ARGV[i]) end
end
call('ZREMRANGEBYSCORE', P .. ':consumers', '-inf', now)`;
