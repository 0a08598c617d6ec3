--- Stores the result of a part once. Result, count and tally change together, so that they always agree.
--- @invariant a result is stored only once, and only for the last start of the job
--- KEYS[1] prefix
--- @argument id string  Id of the job
--- @argument fence number  Number of the start that judged the part
--- @argument part number  Index of the part in its job, from 0
--- @argument bytes number  Size of the part's items, in bytes
--- @argument result ResultArguments  Result of the part
--- @returns {answer, end, named…}. `answer` is `stored`, or `duplicate` if the part already has a result. `answer` is `gone` if the job is over or began again,
--- @returns or `tooLarge` if the limits for stored results are reached. `end` is `complete` or `tooLarge` if this call ended the job, and empty otherwise.
--- @returns `named` are jobs that this process must add to BullMQ. A retry of the call returns the same end
--- @include include/life

local id, key, result = args.id, jobKey(args.id), args.result
local flow = flowOf(id)

--- Returns true if a result of this size exceeds a limit: `FlowLoad.overfull` of `libs/runner/src/flow`.
local function overfull(bytes)
  local all, share = unpack(call('HMGET', key, 'allResults', 'flowResults'))
  local function full(held, limit) return held >= limit or bytes > limit end
  if full(number(RESULT_BYTES, ''), tonumber(all or math.huge)) then return true end
  return lineOf(flow) ~= 'exempt' and full(number(RESULT_BYTES, flow), tonumber(share or math.huge))
end
local function store()
  call('HSET', resultsKey(id), args.part, result.packed)
  charge(id, flow, result.bytes)
  call('HINCRBYFLOAT', key, 'celSpent', exact(result.celCharge))
  for field, by in pairs(result.tally) do call('HINCRBYFLOAT', key, field, exact(by)) end
  for _, name in ipairs({ key, resultsKey(id) }) do call('PEXPIRE', name, exact(result.ttlMs)) end
  call('HDEL', bodiesKey(id), args.part)
  call('HINCRBY', key, 'done', 1)
  call('HINCRBY', key, 'bytes', exact(-args.bytes))
  call('HSET', key, 'unrewarded', 0)
  if result.note then call('HSET', key, 'note', result.note) end
  countWaiting(flow, -1, -args.bytes)
end
local facts = {
  judged = call('HEXISTS', resultsKey(id), args.part) == 1,
  superseded = tonumber(call('HGET', key, 'fence') or '') ~= args.fence,
  overfull = flow and overfull(result.bytes),
  last = number(key, 'done') + 1 == number(key, 'total'),
}
local by = exact(args.fence) .. '/' .. exact(args.part)
return reply(id, happen(id, 'store', facts, { store = store, by = by }), by)
