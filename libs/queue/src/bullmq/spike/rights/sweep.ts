import { ATTENDANCE } from './attend.ts';
import { FAIR_QUEUING } from './fair-queuing.ts';

/** Takes back chunks whose job is gone. → chunks that wait */
export const RECLAIM = `${FAIR_QUEUING}
for _, job in ipairs(call('HKEYS', CLAIMS)) do
  if call('EXISTS', P .. ':bull:chunks:' .. job) == 0 then
    local c = claimOf(job)
    vacate(job, c)
    if living(c.id) then queue(c.place, c.id, c.chunk, c.claims + 1, c.items, c.bytes, true) end
  end
end
return number(CHUNKS, '')`;

/**
 * ARGV period ms, grace ms, attendance ms, ms without an audit after which everyone is thought to have stood still. → evaluations that nobody waits
 * for and that ended: {lost, cancelled}, each told once. Compares what is there with what must be, for every living evaluation; one process a period does it.
 * Every chunk waits, is claimed, or is done: where one is missing, its evaluation can never be complete and fails. A place that was lost is taken
 * again. What is past its deadline by the grace (no consumer lives, and nobody waits on a connection) is cancelled. Where the process that attends to
 * an evaluation was not heard of, nobody will read it: it is forgotten, as if the storage had lost it.
 */
export const AUDIT = `${FAIR_QUEUING}${ATTENDANCE}
if not call('SET', P .. ':auditing', 1, 'NX', 'PX', ARGV[1]) then return { 0, 0 } end
local now = nowMs()
-- After the server itself was away nobody could have been heard of; and what it has lost says nothing about anyone: all get another period.
local stoodStill = call('EXISTS', P .. ':audited') == 0
call('SET', P .. ':audited', 1, 'PX', ARGV[4])
local function gone(attendant)
  local until_ = call('ZSCORE', ATTENDANTS, attendant)
  if until_ and not stoodStill then return tonumber(until_) <= now end
  attend(attendant, tonumber(ARGV[3]))
  return false
end
local attended, isGone = {}, {}
local pairs_ = call('HGETALL', P .. ':attended')
for i = 1, #pairs_, 2 do
  local id, attendant = pairs_[i], pairs_[i + 1]
  if isGone[attendant] == nil then isGone[attendant] = gone(attendant) end
  attended[id] = attendant
  if call('HEXISTS', P .. ':living', id) == 0 then call('HDEL', P .. ':attended', id) end
end
local ends = { lost = tonumber(call('GET', P .. ':lost') or '0'), cancelled = 0 }
call('DEL', P .. ':lost')
local found = 0
local living_ = call('HGETALL', P .. ':living')
for i = 1, #living_, 2 do
  local id, key = living_[i], evaluationKey(living_[i])
  local fields = call('HMGET', key, 'record', 'total', 'done', 'claimed', 'deadline')
  local waiting = call('LLEN', waitingKey(id))
  local lost = not fields[1] or tonumber(fields[3]) + tonumber(fields[4]) + waiting < tonumber(fields[2])
  local late = not lost and tonumber(fields[5]) + ARGV[2] < now
  local orphaned = attended[id] and isGone[attended[id]]
  if lost or late or orphaned then
    found = found + 1
    local how = lost and 'lost' or 'cancelled'
    if over(id) == 'detached' then ends[how] = ends[how] + 1 end
    if orphaned then call('DEL', key, resultsKey(id))
    elseif fields[1] then call('HSET', key, lost and 'failed' or 'cancelled', 1) end
    call('DEL', bodiesKey(id))
    for _, channel in ipairs({ ':cancellations', ':changes' }) do call('PUBLISH', P .. channel, id) end
  elseif waiting > 0 then arrive(placeOf(living_[i + 1])) end
end
call('ZREMRANGEBYSCORE', ATTENDANTS, '-inf', now)
if found > 0 then
  -- What was lost took part of the counts along: they are made anew.
  call('DEL', CHUNKS, BYTES, EVALUATIONS, RUN)
  living_ = call('HGETALL', P .. ':living')
  for i = 1, #living_, 2 do
    local p = placeOf(living_[i + 1])
    count(EVALUATIONS, p, 1)
    for _, ref in ipairs(call('LRANGE', waitingKey(living_[i]), 0, -1)) do
      count(CHUNKS, p, 1)
      count(BYTES, p, string.match(ref, '^%d+|%d+|%d+|(%d+)|'))
    end
  end
  for _, job in ipairs(call('HKEYS', CLAIMS)) do
    local p = claimOf(job).place
    for _, path in ipairs({ p.flows, p.divisions }) do call('HINCRBY', RUN, path, 1) end
  end
end
return { ends.lost, ends.cancelled }`;
