import { ATTENDANCE } from './attend.ts';
import { FAIR_QUEUING } from './fair-queuing.ts';

/** What the scripts of this file are made of: an evaluation is accepted, given chunks, and sealed. */
const ADMISSION = `${FAIR_QUEUING}${ATTENDANCE}
-- limits: of all: evaluations, bytes; of the flow: evaluations, chunks, bytes. → accepted | exists | a refusal
local function accept(id, record, place, ttl, deadline, itemMs, digest, limits, attendant, attendanceMs)
  local p = placeOf(place)
  local key = evaluationKey(id)
  if call('EXISTS', key) == 1 then return 'exists' end
  if number(BYTES, '') >= tonumber(limits[2]) then return 'bytes' end
  if p.level ~= 'exempt' then
    if number(EVALUATIONS, '') >= tonumber(limits[1]) then return 'evaluations' end
    if number(EVALUATIONS, p.divisions) >= tonumber(limits[3]) then return 'flow-evaluations' end
    if number(CHUNKS, p.divisions) >= tonumber(limits[4]) then return 'flow-chunks' end
    if number(BYTES, p.divisions) >= tonumber(limits[5]) then return 'flow-bytes' end
  end
  call('HSET', key, 'record', record, 'total', 0, 'done', 0, 'claimed', 0, 'next', 0, 'deadline', deadline, 'itemMs', itemMs)
  if digest ~= '' then call('HSET', key, 'definition', digest) end
  call('HSET', key, 'flowBytes', limits[5])
  call('PEXPIRE', key, ttl)
  call('HSET', P .. ':living', id, place)
  if attendant ~= '' then
    call('HSET', P .. ':attended', id, attendant)
    attend(attendant, tonumber(attendanceMs))
  end
  count(EVALUATIONS, p, 1)
  return 'accepted'
end
-- The first item tells a chunk that is sent again. → over, a refusal, or the number of chunks that wait
local function enqueue(id, first, items, bytes, body, ttl, limit)
  local key = evaluationKey(id)
  local text = call('HGET', P .. ':living', id)
  if not text or not living(id) or call('HEXISTS', key, 'sealed') == 1 then return 'over' end
  local p = placeOf(text)
  if first < number(key, 'next') then return number(CHUNKS, '') end
  local held, flowHeld = number(BYTES, ''), number(BYTES, p.divisions)
  if held > 0 and held + bytes > limit then return 'bytes' end
  if p.level ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > number(key, 'flowBytes') then return 'flow-bytes' end
  local chunk = call('HINCRBY', key, 'total', 1) - 1
  call('HSET', key, 'next', first + items)
  call('HSET', bodiesKey(id), chunk, body)
  queue(p, id, chunk, first, items, bytes, false)
  for _, name in ipairs({ key, waitingKey(id), bodiesKey(id) }) do call('PEXPIRE', name, ttl) end
  return number(CHUNKS, '')
end
-- → sealed | complete (it was detached, and this ended it; the same when it is sent again) | gone
local function seal(id)
  local key = evaluationKey(id)
  if call('EXISTS', key) == 0 then return 'gone' end
  call('HSET', key, 'sealed', 1)
  if call('HGET', key, 'done') == call('HGET', key, 'total') and over(id) == 'detached' then call('HSET', key, 'finisher', 'seal') end
  return call('HGET', key, 'finisher') == 'seal' and 'complete' or 'sealed'
end
local function acceptArguments()
  return accept(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], { unpack(ARGV, 8, 12) }, ARGV[13], ARGV[14])
end
`;

/**
 * ARGV id, record, place, ttl ms, deadline (epoch ms), ms an item, digest of the only definition or '', limits of all: evaluations, bytes,
 * limits of the flow: evaluations, chunks, bytes; who attends to it or '' (detached), ms for which that counts. → accepted | exists | a refusal
 */
export const ACCEPT = `${ADMISSION}
return acceptArguments()`;

/**
 * ARGV id, first item, items, bytes, body, ttl ms, limit of bytes of all. → over, a refusal, or the number of chunks that wait.
 * The first item tells a chunk that is sent again.
 */
export const ENQUEUE = `${ADMISSION}
return enqueue(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7]))`;

/** ARGV id. → sealed | complete (it was detached, and this ended it; the same when it is sent again) | gone */
export const SEAL = `${ADMISSION}
return seal(ARGV[1])`;

/**
 * A whole evaluation in one step. ARGV as for ACCEPT, then ttl ms of chunks, then for each chunk: first item, items, bytes, body.
 * → exists, a refusal (nothing is kept), complete (it had nothing to do, and nobody waits for it), or the number of chunks that wait.
 */
export const SUBMIT = `${ADMISSION}
local id = ARGV[1]
local answer = acceptArguments()
if answer ~= 'accepted' then return answer end
for i = 16, #ARGV, 4 do
  answer = enqueue(id, tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[15], tonumber(ARGV[9]))
  if type(answer) == 'string' then
    over(id)
    call('DEL', evaluationKey(id), bodiesKey(id))
    return answer
  end
end
return seal(id) == 'complete' and 'complete' or number(CHUNKS, '')`;
