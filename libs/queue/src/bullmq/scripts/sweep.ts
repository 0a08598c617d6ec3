import { FAIR_QUEUING } from './fair-queuing.ts';

/** Leases that one sweep takes back at most, so that no script holds the server for long. */
const LEASES_A_SWEEP = 200;

/** ARGV 1: all leases, as if every consumer had died long ago. → chunks that wait. Takes back chunks whose lease ran out. */
export const EXPIRE_LEASES = `${FAIR_QUEUING}
local until_ = ARGV[1] == '1' and '+inf' or nowMs()
for _, lease in ipairs(call('ZRANGE', P .. ':leases', '-inf', until_, 'BYSCORE', 'LIMIT', 0, ${LEASES_A_SWEEP})) do takeBack(lease, nil) end
return number(CHUNKS, '')`;

/**
 * ARGV period ms, grace ms. Compares what is there with what must be, for every living evaluation; one process a period does it. Every chunk
 * waits, is claimed, or is done: where one is missing, its evaluation can never be complete and fails. A place that was lost is taken again.
 * What is past its deadline by the grace (no consumer lives, and nobody waits on a connection) is cancelled.
 */
export const AUDIT = `${FAIR_QUEUING}
if not call('SET', P .. ':auditing', 1, 'NX', 'PX', ARGV[1]) then return 0 end
local found = 0
local living_ = call('HGETALL', P .. ':living')
for i = 1, #living_, 2 do
  local id, key = living_[i], evaluationKey(living_[i])
  local fields = call('HMGET', key, 'record', 'total', 'done', 'claimed', 'deadline')
  local waiting = call('LLEN', waitingKey(id))
  local lost = not fields[1] or tonumber(fields[3]) + tonumber(fields[4]) + waiting < tonumber(fields[2])
  local late = not lost and tonumber(fields[5]) + ARGV[2] < nowMs()
  if lost or late then
    found = found + 1
    over(id)
    if fields[1] then call('HSET', key, lost and 'failed' or 'cancelled', 1) end
    call('DEL', bodiesKey(id))
    call('PUBLISH', P .. ':changes', id)
  elseif waiting > 0 then arrive(placeOf(living_[i + 1])) end
end
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
  for _, lease in ipairs(call('ZRANGE', P .. ':leases', 0, -1)) do
    local p = leaseOf(lease).place
    for _, path in ipairs({ p.flows, p.divisions }) do call('HINCRBY', RUN, path, 1) end
  end
end
return found`;
