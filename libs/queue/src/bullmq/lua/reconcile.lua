--- Repairs the stored state. Only one process per period does this. Expired results are no longer charged to any flow (the queue of one client).
--- For each live evaluation, the first applicable rule is used.
--- Rule 1. The evaluation fails if a chunk is lost, which means that the chunk is neither waiting, nor claimed, nor done.
--- Rule 2. The evaluation is cancelled if its deadline passed more than `graceMs` ago. By then, no process works on it.
--- Rule 3. If the evaluation has waiting chunks but its queue key is missing in the tree of the fair queue, the key is inserted there.
--- @invariant all compared data come from the same moment, and each end is reported to only one process
--- KEYS[1] prefix
--- @argument periodMs number  Time in ms after the last reconciliation within which this process does not reconcile; at most 60000
--- @argument graceMs number  Time in ms after its deadline at which an evaluation is cancelled
--- @argument nonce string  Random text that only this call and its repetitions use
--- @returns {living, did, id, end, …}. `living` is the number of evaluations that have not ended. `did` is `reconciled`, or empty if another process reconciled
--- @returns within the period. Each `id` with its `end` (`lost` or `cancelled`)
--- @returns describes an evaluation that ended without a reply to another command. One call and its repetitions return it
--- @include include/life
--- @include include/recount

local REMEMBERED_MS = 60000
local told = call('GET', toldKey(args.nonce))
if told then return cmsgpack.unpack(told) end
-- The key's remaining life says how long ago a process reconciled. Idle processes have a longer period than busy ones.
local left = call('PTTL', PREFIX .. ':reconciling')
if left >= 0 and REMEMBERED_MS - left < args.periodMs then return { call('HLEN', LIVING), '' } end
call('SET', PREFIX .. ':reconciling', 1, 'PX', exact(REMEMBERED_MS))
local now = nowMs()
local function isLost(id, fields)
  local waiting = call('LLEN', waitingKey(id))
  return not fields[1] or tonumber(fields[3]) + tonumber(fields[4]) + waiting < tonumber(fields[2])
end

for _, id in ipairs(call('ZRANGE', CHARGED_UNTIL, '-inf', exact(now), 'BYSCORE', 'LIMIT', 0, CHARGES_A_CALL)) do discharge(id) end
local found = 0
for _, id in ipairs(call('HKEYS', LIVING)) do
  local fields = call('HMGET', evaluationKey(id), 'record', 'total', 'done', 'claimed', 'deadline')
  found = found + 1
  if isLost(id, fields) then
    lose(id)
  elseif tonumber(fields[5]) + args.graceMs < now then
    happen(id, 'cancel')
  else
    found = found - 1
    local queueKey = livingKey(id)
    if call('EXISTS', waitingKey(id)) == 1 then arrive(queueKey) end
    call('HSET', LEAVES, queueKey.leaf, id)
  end
end
if found > 0 then recount() end
local answer = { call('HLEN', LIVING), 'reconciled' }
for _, word in ipairs(call('HGETALL', ENDED)) do table.insert(answer, word) end
call('DEL', ENDED)
if #answer > 2 then call('SET', toldKey(args.nonce), cmsgpack.pack(answer), 'PX', TOLD_MS) end
return answer
