--- Begins a job: a process performs it from now on, and earlier starts of the job can store no more results.
--- @invariant no earlier start stores a result after the parts that have a result were read
--- KEYS[1] prefix
--- @argument id string  Id of the job
--- @argument nonce string  Random text that only this call and its repetitions use
--- @returns {record, numbers, done}, or nil if the job is unknown, not yet received, or over. `numbers` are fence, starts, starts since the last stored result, parts,
--- @returns spent CEL cost, ms until the deadline, and ms since the job was sealed. `done` are the indexes of the parts that have a result
--- @include include/life

local id, key = args.id, jobKey(args.id)
local function fence()
  if call('HGET', key, 'starter') == args.nonce then return end
  call('HSET', key, 'starter', args.nonce)
  for _, field in ipairs({ 'fence', 'starts', 'unrewarded' }) do call('HINCRBY', key, field, 1) end
  call('HSETNX', LIVING, id, flowOf(id))
end
if happen(id, 'begin', {}, { fence = fence }) ~= 'begun' then return nil end
local record = call('HGET', key, 'record')
if not record then
  lose(id)
  return nil
end
local fields, now = call('HMGET', key, 'fence', 'starts', 'unrewarded', 'total', 'celSpent', 'deadline', 'sealedAt'), nowMs()
local numbers = { fields[1], fields[2], fields[3], fields[4], fields[5] or '0', exact(fields[6] - now), exact(now - (fields[7] or now)) }
return { record, numbers, call('HKEYS', resultsKey(id)) }
