import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * ARGV lease ms. → nil | {lease, body, record, CEL units spent, waited ms}. The choice is that of `FairQueue.pick`. A chunk whose body is
 * gone fails its evaluation: it can never be complete.
 */
export const CHOOSE = `${FAIR_QUEUING}
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
    leave({ level = level, flow = flow, division = division, leaf = leaf, flows = level, divisions = divisions, evaluations = divisions .. '/' .. division })
  else
    local p = placeOf(text)
    local job = id .. '.' .. string.match(ref, '^%d+|(%d+)')
    charge(p, id, job, ref)
    if call('ZSCORE', PRIORITIZED, job) then
      call('ZADD', PRIORITIZED, 0, job)
      return job
    end
    vacate(job, claimOf(job), 0)
    if call('EXISTS', key) == 1 then call('HSET', key, 'failed', 'the chunks were lost') end
    if over(id) == 'detached' then call('INCR', P .. ':lost') end
    call('PUBLISH', P .. ':changes', id)
  end
end`;

/** ARGV job, token. What a job that was taken is: a chosen one, one that stalled, or, where a consumer was idle, the first that came. */
export const TAKE = `${FAIR_QUEUING}
local job = ARGV[1]
local id, first = string.match(job, '^(.*)%.(%d+)$')
local key = evaluationKey(id)
local c = claimOf(job)
local text = call('HGET', P .. ':living', id)
if not c and text then
  for _, ref in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
    if string.match(ref, '^%d+|(%d+)') == first then
      call('LREM', waitingKey(id), 1, ref)
      charge(placeOf(text), id, job, ref)
      c = claimOf(job)
      break
    end
  end
end
if not c then return (not text or call('EXISTS', resultsKey(id)) == 1) and nil or 0 end
local body, record = call('HGET', bodiesKey(id), c.chunk), call('HGET', key, 'record')
if not text or not body or not record then
  vacate(job, c, 0)
  if text then
    if record then call('HSET', key, 'failed', 'the chunks were lost') end
    if over(id) == 'detached' then call('INCR', P .. ':lost') end
    call('PUBLISH', P .. ':changes', id)
  end
  return nil
end
c.token = ARGV[2]
putClaim(job, c)
return { c.chunk, exact(c.cost), c.place.level, body, record, call('HGET', key, 'celSpent') or '0' }`;

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
