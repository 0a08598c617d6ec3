--- Compares what is stored with what must be, for every evaluation that lives; one process a period does it. Every chunk waits, is claimed, or is
--- done: where one is missing, its evaluation can never be complete and fails. What is past its
--- deadline by the grace (no consumer lives, and no client waits) is cancelled. Where the process that serves an evaluation sent no
--- heartbeat, its results have no reader: it is forgotten. Results that have expired are charged to nobody.
--- @invariant all that is compared is of one moment, and each end is told to one process
--- KEYS[1] prefix
--- @argument periodMs number  no other process does it within this time
--- @argument graceMs number  beyond the deadline
--- @argument servingMs number  how long a heartbeat counts
--- @argument stoodStillMs number  without being reconciled for so long, everyone is thought to have stood still
--- @argument nonce string  what no other call has
--- @returns {living, id, end, …}: evaluations that are not over; detached ones that ended so, each told once (the same when it is sent again)
--- @include include/life
--- @include include/serving

local told = call('GET', toldKey(args.nonce))
if told then return cmsgpack.unpack(told) end
if not call('SET', PREFIX .. ':reconciling', 1, 'NX', 'PX', exact(args.periodMs)) then return { call('HLEN', LIVING) } end
local now = nowMs()
-- While the server itself was away no process could send a heartbeat, and what it lost proves nothing: all get another period.
local stoodStill = call('EXISTS', PREFIX .. ':reconciled') == 0
call('SET', PREFIX .. ':reconciled', 1, 'PX', exact(args.stoodStillMs))

local isGone = {}
local function gone(process)
  if isGone[process] == nil then
    local until_ = call('ZSCORE', SERVING, process)
    isGone[process] = until_ and not stoodStill and tonumber(until_) <= now or false
    if not until_ or stoodStill then heartbeat(process, args.servingMs) end
  end
  return isGone[process]
end
local function isLost(id, fields)
  local waiting = call('HLEN', waitingKey(id))
  return not fields[1] or tonumber(fields[3]) + tonumber(fields[4]) + waiting < tonumber(fields[2])
end
--- What was lost took part of the counts along: they are made anew.
local function recount()
  call('DEL', CHUNKS, BYTES, EVALUATIONS, RUNNING, RESULT_BYTES)
  for _, id in ipairs(call('HKEYS', LIVING)) do
    local queueKey = livingKey(id)
    count(EVALUATIONS, queueKey, 1)
    for _, packed in ipairs(call('HVALS', waitingKey(id))) do
      count(CHUNKS, queueKey, 1)
      count(BYTES, queueKey, cmsgpack.unpack(packed).bytes)
    end
  end
  for _, id in ipairs(call('HKEYS', CHARGES)) do
    local charged = cmsgpack.unpack(call('HGET', CHARGES, id))
    count(RESULT_BYTES, charged, charged.bytes)
    if call('EXISTS', resultsKey(id)) == 0 then discharge(id) end
  end
  for _, packed in ipairs(call('HVALS', LEASED)) do call('HINCRBY', RUNNING, cmsgpack.unpack(packed).queueKey.levelPath, 1) end
  for _, id in ipairs(call('HKEYS', SERVED)) do
    if call('HEXISTS', LIVING, id) == 0 then call('HDEL', SERVED, id) end
  end
end

for _, id in ipairs(call('ZRANGE', CHARGED_UNTIL, '-inf', exact(now), 'BYSCORE', 'LIMIT', 0, CHARGES_A_CALL)) do discharge(id) end
local found = 0
for _, id in ipairs(call('HKEYS', LIVING)) do
  local fields = call('HMGET', evaluationKey(id), 'record', 'total', 'done', 'claimed', 'deadline')
  local server = call('HGET', SERVED, id)
  found = found + 1
  if isLost(id, fields) then
    lose(id)
  elseif server and gone(server) then
    happen(id, 'cancel')
    happen(id, 'forget')
  elseif tonumber(fields[5]) + args.graceMs < now then
    happen(id, 'cancel')
  else
    found = found - 1
  end
end
call('ZREMRANGEBYSCORE', SERVING, '-inf', exact(now))
if found > 0 then recount() end
local answer = { call('HLEN', LIVING) }
for _, word in ipairs(call('HGETALL', ENDED)) do table.insert(answer, word) end
call('DEL', ENDED)
if #answer > 1 then call('SET', toldKey(args.nonce), cmsgpack.pack(answer), 'PX', TOLD_MS) end
return answer
