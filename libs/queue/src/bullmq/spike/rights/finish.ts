import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * ARGV id, chunk, lease, spent ms or '', judged ms or '', result, CEL units charged, ttl ms, then tally field/value pairs. → stored | complete (stored, and
 * it ended an evaluation that nobody waits for; the same when it is sent again) | duplicate | gone. Result, count and tally change together, so they
 * cannot disagree.
 */
export const COMMIT = `${FAIR_QUEUING}
local id, chunk = ARGV[1], ARGV[2]
local key = evaluationKey(id)
local job = string.match(ARGV[3], '^[^|]+')
local c = claimOf(job)
local held = c and job .. '|' .. c.token == ARGV[3]
if held then vacate(job, c, tonumber(ARGV[4]), tonumber(ARGV[5])) end
if not living(id) then return 'gone' end
if call('HEXISTS', resultsKey(id), chunk) == 1 then
  return call('HGET', key, 'finisher') == ARGV[3] and 'complete' or 'duplicate'
end
if not held then return 'gone' end
call('HSET', resultsKey(id), chunk, ARGV[6])
call('HDEL', bodiesKey(id), chunk)
local done = call('HINCRBY', key, 'done', 1)
call('HINCRBYFLOAT', key, 'celSpent', ARGV[7])
for i = 9, #ARGV, 2 do call('HINCRBYFLOAT', key, ARGV[i], ARGV[i + 1]) end
call('PEXPIRE', key, ARGV[8])
call('PEXPIRE', resultsKey(id), ARGV[8])
local ended = call('HEXISTS', key, 'sealed') == 1 and done == number(key, 'total') and over(id)
if ended == 'detached' then call('HSET', key, 'finisher', ARGV[3]) end
call('PUBLISH', P .. ':changes', id)
return ended == 'detached' and 'complete' or 'stored'`;

/** ARGV lease. → released | gone. What the chunk was charged is given back. */
export const RELEASE = `${FAIR_QUEUING}
local job = string.match(ARGV[1], '^[^|]+')
local c = claimOf(job)
if not c or job .. '|' .. c.token ~= ARGV[1] then return 'gone' end
vacate(job, c, 0)
if not living(c.id) then return 'gone' end
queue(c.place, c.id, c.chunk, c.claims + 1, c.items, c.bytes, true)
return 'released'`;

/** ARGV id. → cancelled | over */
export const CANCEL = `${FAIR_QUEUING}
local id = ARGV[1]
if call('EXISTS', evaluationKey(id)) == 0 or not over(id) then return 'over' end
call('HSET', evaluationKey(id), 'cancelled', 1)
call('DEL', bodiesKey(id))
for _, channel in ipairs({ ':cancellations', ':changes' }) do call('PUBLISH', P .. channel, id) end
return 'cancelled'`;

/** ARGV id. */
export const FORGET = `${FAIR_QUEUING}
local id = ARGV[1]
over(id)
call('DEL', evaluationKey(id), waitingKey(id), bodiesKey(id), resultsKey(id))
call('PUBLISH', P .. ':changes', id)`;

/** ARGV id, chunk. The field stays, so that a late second result is still known as one. What is not there is not made anew: it would never expire. */
export const DISCARD = `
local results = KEYS[1] .. ':res:' .. ARGV[1]
if redis.call('EXISTS', results) == 1 then redis.call('HSET', results, ARGV[2], '') end`;
