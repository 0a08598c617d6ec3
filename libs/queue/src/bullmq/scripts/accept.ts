import { ATTENDANCE } from './attend.ts';
import { FAIR_QUEUING } from './fair-queuing.ts';

/**
 * ARGV id, record, place, ttl ms, deadline (epoch ms), ms an item, digest of the only definition or '', limits of all: evaluations, bytes,
 * limits of the flow: evaluations, chunks, bytes; who attends to it or '' (detached), ms for which that counts. → accepted | exists | a refusal
 */
export const ACCEPT = `${FAIR_QUEUING}${ATTENDANCE}
local id, p = ARGV[1], placeOf(ARGV[3])
local key = evaluationKey(id)
if call('EXISTS', key) == 1 then return 'exists' end
if number(BYTES, '') >= tonumber(ARGV[9]) then return 'bytes' end
if p.level ~= 'exempt' then
  if number(EVALUATIONS, '') >= tonumber(ARGV[8]) then return 'evaluations' end
  if number(EVALUATIONS, p.divisions) >= tonumber(ARGV[10]) then return 'flow-evaluations' end
  if number(CHUNKS, p.divisions) >= tonumber(ARGV[11]) then return 'flow-chunks' end
  if number(BYTES, p.divisions) >= tonumber(ARGV[12]) then return 'flow-bytes' end
end
call('HSET', key, 'record', ARGV[2], 'total', 0, 'done', 0, 'claimed', 0, 'next', 0, 'deadline', ARGV[5], 'itemMs', ARGV[6])
if ARGV[7] ~= '' then call('HSET', key, 'definition', ARGV[7]) end
call('HSET', key, 'flowBytes', ARGV[12])
call('PEXPIRE', key, ARGV[4])
call('HSET', P .. ':living', id, ARGV[3])
if ARGV[13] ~= '' then
  call('HSET', P .. ':attended', id, ARGV[13])
  attend(ARGV[13], tonumber(ARGV[14]))
end
count(EVALUATIONS, p, 1)
return 'accepted'`;

/**
 * ARGV id, first item, items, bytes, body, ttl ms, limit of bytes of all. → over, a refusal, or the number of chunks that wait.
 * The first item tells a chunk that is sent again.
 */
export const ENQUEUE = `${FAIR_QUEUING}
local id, first, items, bytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local key = evaluationKey(id)
local text = call('HGET', P .. ':living', id)
if not text or not living(id) or call('HEXISTS', key, 'sealed') == 1 then return 'over' end
local p = placeOf(text)
if first < number(key, 'next') then return number(CHUNKS, '') end
local held, flowHeld = number(BYTES, ''), number(BYTES, p.divisions)
if held > 0 and held + bytes > tonumber(ARGV[7]) then return 'bytes' end
if p.level ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > number(key, 'flowBytes') then return 'flow-bytes' end
local chunk = call('HINCRBY', key, 'total', 1) - 1
call('HSET', key, 'next', first + items)
call('HSET', bodiesKey(id), chunk, ARGV[5])
queue(p, id, chunk, 0, items, bytes, false)
for _, name in ipairs({ key, waitingKey(id), bodiesKey(id) }) do call('PEXPIRE', name, ARGV[6]) end
return number(CHUNKS, '')`;

/** ARGV id. → sealed | complete (it was detached, and this ended it; the same when it is sent again) | gone */
export const SEAL = `${FAIR_QUEUING}
local key = evaluationKey(ARGV[1])
if call('EXISTS', key) == 0 then return 'gone' end
call('HSET', key, 'sealed', 1)
if call('HGET', key, 'done') == call('HGET', key, 'total') and over(ARGV[1]) == 'detached' then call('HSET', key, 'finisher', 'seal') end
return call('HGET', key, 'finisher') == 'seal' and 'complete' or 'sealed'`;
