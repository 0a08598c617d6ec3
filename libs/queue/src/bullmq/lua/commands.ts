// Made by `npm run lua` from the .lua files of this folder; change those.
import type { AcceptedEvaluation, AdmissionLimits, ChunkArguments, LuaCommand, ResultArguments, TokenRequest } from './command.ts';

const KEYS = `
local call = redis.call
local args = cmsgpack.unpack(ARGV[1])
local PREFIX = KEYS[1]

--- Hash: virtual time by node of the tree; hash: finish tags of levels and flows that have nothing waiting.
local VIRTUAL_TIME, FINISH = PREFIX .. ':fq:v', PREFIX .. ':fq:f'
--- Hashes by flow, level and '' (all): chunks that run; chunks and bytes that wait; evaluations that live.
local RUNNING = PREFIX .. ':fq:run'
local CHUNKS, BYTES, EVALUATIONS = PREFIX .. ':fq:chunks', PREFIX .. ':fq:bytes', PREFIX .. ':fq:evaluations'
--- Hash by flow, level and '' (all): bytes of stored results.
local RESULT_BYTES = PREFIX .. ':fq:results'
--- Hash: evaluation -> what its results are charged to, and how many bytes (MessagePack); sorted set: those that are over by the time at which they expire.
local CHARGES, CHARGED_UNTIL = PREFIX .. ':charges', PREFIX .. ':charged'
--- Hash: live evaluation -> its queue key (MessagePack), known even where the evaluation's own keys were lost.
local LIVING = PREFIX .. ':living'
--- Hash: leaf of the tree -> evaluation.
local LEAVES = PREFIX .. ':leaves'
--- Sorted set: leases by the time at which they run out (epoch ms of the server's clock); hash: what each is for (MessagePack).
local LEASES, LEASED = PREFIX .. ':leases', PREFIX .. ':leased'
--- Sorted set: consumers by the time at which they count as gone; hashes: the seats of each, and those that other work leaves to it.
local CONSUMERS, SEATS, FREE_SEATS = PREFIX .. ':consumers', PREFIX .. ':seats', PREFIX .. ':free'
--- Hash: evaluation -> how it ended (lost, cancelled), where its end is not yet told to any process.
local ENDED = PREFIX .. ':ended'
--- Sorted set: processes that take tokens of shared rates, by the time at which they count as gone.
local TOKEN_TAKERS = PREFIX .. ':tokens'
--- Channels: evaluations whose progress changed, evaluations whose chunks are to be stopped.
local CHANGES, CANCELLATIONS = PREFIX .. ':changes', PREFIX .. ':cancellations'

--- The number of the form of all this (\`stored-form.ts\`), for processes of other releases; never expires.
local FORM = PREFIX .. ':format'

--- Sorted set: children of a node that have waiting work, by start tag. Nodes: '' (children are levels), level, level/flow, level/flow/division.
local function readyKey(node) return PREFIX .. ':fq:ready:' .. node end
--- Hash: state, record, queueKey, born, total, done, claimed, next, deadline, flowBytes, allResults, flowResults, retention, itemMs, definition, celSpent, finisher, n:* and p:* (tally).
local function evaluationKey(id) return PREFIX .. ':ev:' .. id end
--- List: waiting chunks of an evaluation (MessagePack), the next first.
local function waitingKey(id) return PREFIX .. ':wait:' .. id end
--- Hashes by chunk: the packed items, the packed results.
local function bodiesKey(id) return PREFIX .. ':body:' .. id end
local function resultsKey(id) return PREFIX .. ':res:' .. id end
--- What a call of reconcile answered, in case its reply was lost (MessagePack).
local function toldKey(nonce) return PREFIX .. ':told:' .. nonce end
--- Ms that an item of a definition took lately.
local function priceKey(digest) return PREFIX .. ':price:' .. digest end

--- Hash of a shared rate: tokens that are there; at (epoch ms of the server's clock).
local function tokensKey(name) return PREFIX .. ':tokens:' .. name end

local function number(key, field) return tonumber(call('HGET', key, field) or '0') end
--- A number as text that gives the same number when it is read.
local function exact(x) return string.format('%.17g', x) end
local function put(key, field, x) call('HSET', key, field, exact(x)) end
local function nowMs()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
`;

const CONSTANTS = `
local GREATEST_COST_MS = 60000
local LEARNING_RATE = 0.3
local LEAST_COST_MS = 1
local LEAST_SAMPLE_CAP_MS = 0.05
local MS_PER_BYTE = 0.00001
local SAMPLE_GROWTH = 4
local SAMPLE_ITEMS = 25
local DEBT_CAP_MS = 60000
local LEASES_A_CALL = 200
local PRICE_MS = 86400000
local TOLD_MS = 60000
local CHARGES_A_CALL = 1000
local SMALL_RESULT_BYTES = 4194304
local LEAST_RETENTION_MS = 300000
local REDIS_FORM = 5
local LEVEL_WEIGHTS = { exempt = 1, high = 4, normal = 2, low = 1 }
-- The transition that an event takes in a state, from EVALUATION_LIFE (life/evaluation-life.ts).
local function transitionOf(state, event, facts)
  if state == 'unknown' then
    if event == 'accept' then return { on = 'accept', to = 'receiving', answer = 'accepted', effects = { 'open' } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'commit' then return { on = 'commit', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'wake' } } end
  end
  if state == 'receiving' then
    if event == 'accept' then return { on = 'accept', to = 'receiving', answer = 'exists', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'receiving', answer = 'held', effects = { 'lend' } } end
    if event == 'renew' and facts.superseded then return { on = 'renew', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'receiving', answer = 'held', effects = { 'lend' } } end
    if event == 'commit' and facts.judged then return { on = 'commit', to = 'receiving', answer = 'duplicate', effects = {  } } end
    if event == 'commit' and facts.superseded then return { on = 'commit', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'commit' and facts.overfull then return { on = 'commit', to = 'tooLarge', answer = 'tooLarge', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'release' and facts.superseded then return { on = 'release', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'receiving', answer = 'released', effects = { 'requeue' } } end
    if event == 'expire' and facts.superseded then return { on = 'expire', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'receiving', answer = 'released', effects = { 'requeue' } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'cancelled', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'failed', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'close', 'erase', 'wake' } } end
    if event == 'enqueue' and facts.resent then return { on = 'enqueue', to = 'receiving', answer = 'queued', effects = {  } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'receiving', answer = 'queued', effects = { 'queue' } } end
    if event == 'seal' and facts.last then return { on = 'seal', to = 'complete', answer = 'sealed', effects = { 'close', 'wake', 'end' } } end
    if event == 'seal' then return { on = 'seal', to = 'running', answer = 'sealed', effects = { 'wake' } } end
    if event == 'commit' then return { on = 'commit', to = 'receiving', answer = 'stored', effects = { 'store', 'wake' } } end
  end
  if state == 'running' then
    if event == 'accept' then return { on = 'accept', to = 'running', answer = 'exists', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'running', answer = 'held', effects = { 'lend' } } end
    if event == 'renew' and facts.superseded then return { on = 'renew', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'running', answer = 'held', effects = { 'lend' } } end
    if event == 'commit' and facts.judged then return { on = 'commit', to = 'running', answer = 'duplicate', effects = {  } } end
    if event == 'commit' and facts.superseded then return { on = 'commit', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'commit' and facts.overfull then return { on = 'commit', to = 'tooLarge', answer = 'tooLarge', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'release' and facts.superseded then return { on = 'release', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'running', answer = 'released', effects = { 'requeue' } } end
    if event == 'expire' and facts.superseded then return { on = 'expire', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'running', answer = 'released', effects = { 'requeue' } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'cancelled', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'failed', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'close', 'erase', 'wake' } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'running', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'running', answer = 'sealed', effects = {  } } end
    if event == 'commit' and facts.last then return { on = 'commit', to = 'complete', answer = 'stored', effects = { 'store', 'close', 'wake', 'end' } } end
    if event == 'commit' then return { on = 'commit', to = 'running', answer = 'stored', effects = { 'store', 'wake' } } end
  end
  if state == 'complete' then
    if event == 'accept' then return { on = 'accept', to = 'complete', answer = 'exists', effects = {  } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'complete', answer = 'sealed', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'commit' and facts.judged then return { on = 'commit', to = 'complete', answer = 'duplicate', effects = {  } } end
    if event == 'commit' then return { on = 'commit', to = 'complete', answer = 'gone', effects = {  } } end
  end
  if state == 'cancelled' then
    if event == 'accept' then return { on = 'accept', to = 'cancelled', answer = 'exists', effects = {  } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'cancelled', answer = 'sealed', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'commit' then return { on = 'commit', to = 'cancelled', answer = 'gone', effects = {  } } end
  end
  if state == 'failed' then
    if event == 'accept' then return { on = 'accept', to = 'failed', answer = 'exists', effects = {  } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'failed', answer = 'sealed', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'commit' then return { on = 'commit', to = 'failed', answer = 'gone', effects = {  } } end
  end
  if state == 'tooLarge' then
    if event == 'accept' then return { on = 'accept', to = 'tooLarge', answer = 'exists', effects = {  } } end
    if event == 'enqueue' then return { on = 'enqueue', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'tooLarge', answer = 'sealed', effects = {  } } end
    if event == 'claim' then return { on = 'claim', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'renew' then return { on = 'renew', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'release' then return { on = 'release', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'expire' then return { on = 'expire', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'commit' then return { on = 'commit', to = 'tooLarge', answer = 'gone', effects = {  } } end
  end
  error('the life of an evaluation has no ' .. event .. ' in the state ' .. state)
end
`;

const FAIR_QUEUING = `
--- A queue key, {level, flow, division, weight, leaf}, with the paths of its nodes.
local function withPaths(queueKey)
  queueKey.levelPath = queueKey.level
  queueKey.flowPath = queueKey.level .. '/' .. queueKey.flow
  queueKey.divisionPath = queueKey.flowPath .. '/' .. queueKey.division
  return queueKey
end
--- The queue key of a live evaluation; nil for all others.
local function livingKey(id)
  local packed = call('HGET', LIVING, id)
  return packed and cmsgpack.unpack(packed)
end

local function startTag(node, name)
  local start = call('ZSCORE', readyKey(node), name)
  return start and tonumber(start)
end

--- A child has waiting work. \`remembered\`: under which name its finish tag is kept, nil where none is.
local function arriveAt(node, name, remembered)
  if startTag(node, name) then return end
  local start = number(VIRTUAL_TIME, node)
  if remembered then start = math.max(start, number(FINISH, remembered)) end
  call('ZADD', readyKey(node), exact(start), name)
end
local function arrive(queueKey)
  arriveAt(queueKey.divisionPath, queueKey.leaf)
  arriveAt(queueKey.flowPath, queueKey.division)
  arriveAt(queueKey.levelPath, queueKey.flow, queueKey.flowPath)
  if queueKey.level ~= 'exempt' then arriveAt('', queueKey.level, queueKey.levelPath) end
end

--- A child is served with work of an expected cost; \`more\`: it has more waiting.
local function serveAt(node, name, cost, weight, more, remembered)
  local v = number(VIRTUAL_TIME, node)
  local start = startTag(node, name) or v
  local finish = start + cost / weight
  v = math.max(v, start)
  if more then
    call('ZADD', readyKey(node), exact(finish), name)
  else
    call('ZREM', readyKey(node), name)
    if remembered then put(FINISH, remembered, finish) else v = math.max(v, finish) end
  end
  put(VIRTUAL_TIME, node, v)
end
local function serve(queueKey, cost, more)
  serveAt(queueKey.divisionPath, queueKey.leaf, cost, 1, more)
  more = call('EXISTS', readyKey(queueKey.divisionPath)) == 1
  serveAt(queueKey.flowPath, queueKey.division, cost, 1, more)
  if not more then call('HDEL', VIRTUAL_TIME, queueKey.divisionPath) end
  more = call('EXISTS', readyKey(queueKey.flowPath)) == 1
  serveAt(queueKey.levelPath, queueKey.flow, cost, queueKey.weight, more, queueKey.flowPath)
  more = call('EXISTS', readyKey(queueKey.levelPath)) == 1
  if queueKey.level ~= 'exempt' then serveAt('', queueKey.level, cost, LEVEL_WEIGHTS[queueKey.level], more, queueKey.levelPath) end
end

--- A child has nothing waiting any more, without having been served.
local function leaveAt(node, name, remembered)
  local start = startTag(node, name)
  if not start then return end
  call('ZREM', readyKey(node), name)
  if remembered then put(FINISH, remembered, start) end
end
local function leave(queueKey)
  leaveAt(queueKey.divisionPath, queueKey.leaf)
  if call('EXISTS', readyKey(queueKey.divisionPath)) == 1 then return end
  call('HDEL', VIRTUAL_TIME, queueKey.divisionPath)
  leaveAt(queueKey.flowPath, queueKey.division)
  if call('EXISTS', readyKey(queueKey.flowPath)) == 1 then return end
  leaveAt(queueKey.levelPath, queueKey.flow, queueKey.flowPath)
  if queueKey.level ~= 'exempt' and call('EXISTS', readyKey(queueKey.levelPath)) == 0 then leaveAt('', queueKey.level, queueKey.levelPath) end
end

--- A tag moved by what a chunk took more (or less) than it was charged: credit ends at V, debt at V plus the cap.
local function corrected(node, tag, by)
  local v = number(VIRTUAL_TIME, node)
  if by < 0 then return math.max(tag + by, math.min(tag, v)) end
  return math.min(tag + by, math.max(tag, v + DEBT_CAP_MS))
end
local function correctAt(node, name, delta, weight, remembered)
  local start = startTag(node, name)
  if start then
    call('ZADD', readyKey(node), exact(corrected(node, start, delta / weight)), name)
  elseif remembered then
    put(FINISH, remembered, corrected(node, number(FINISH, remembered), delta / weight))
  end
end
local function correct(queueKey, delta)
  correctAt(queueKey.divisionPath, queueKey.leaf, delta, 1)
  correctAt(queueKey.flowPath, queueKey.division, delta, 1)
  correctAt(queueKey.levelPath, queueKey.flow, delta, queueKey.weight, queueKey.flowPath)
  if queueKey.level ~= 'exempt' then correctAt('', queueKey.level, delta, LEVEL_WEIGHTS[queueKey.level], queueKey.levelPath) end
end

--- What a chunk is expected to take of a seat, ms; and what an item is expected to take after the items of a chunk took \`judgedMs\`.
local function chunkCost(itemMs, items, bytes)
  return math.min(math.max(items * itemMs + bytes * MS_PER_BYTE, LEAST_COST_MS), GREATEST_COST_MS)
end
local function learnedPrice(itemMs, items, bytes, judgedMs)
  local measured = math.max(judgedMs - bytes * MS_PER_BYTE, 0) / math.max(items, 1)
  local sample = math.min(measured, math.max(itemMs * SAMPLE_GROWTH, LEAST_SAMPLE_CAP_MS))
  return itemMs + (sample - itemMs) * LEARNING_RATE * math.min(items / SAMPLE_ITEMS, 1)
end

--- Adds to a count of all, of the level and of the flow.
local function count(key, queueKey, by)
  for _, field in ipairs({ '', queueKey.levelPath, queueKey.flowPath }) do call('HINCRBY', key, field, by) end
end
--- Adds to the chunks that run, of the level and of the flow.
local function countRunning(queueKey, by)
  for _, field in ipairs({ queueKey.levelPath, queueKey.flowPath }) do call('HINCRBY', RUNNING, field, by) end
end
--- A chunk waits: {chunk, claims, items, bytes}; \`back\`: before its evaluation's others.
local function wait(id, queueKey, waiting, back)
  waiting.queuedAt = nowMs()
  call(back and 'LPUSH' or 'RPUSH', waitingKey(id), cmsgpack.pack(waiting))
  count(CHUNKS, queueKey, 1)
  count(BYTES, queueKey, waiting.bytes)
  arrive(queueKey)
end
`;

const RESULTS = `
local function charge(id, queueKey, bytes)
  local packed = call('HGET', CHARGES, id)
  local charged = packed and cmsgpack.unpack(packed) or { bytes = 0, levelPath = queueKey.levelPath, flowPath = queueKey.flowPath }
  charged.bytes = charged.bytes + bytes
  call('HSET', CHARGES, id, cmsgpack.pack(charged))
  count(RESULT_BYTES, queueKey, bytes)
end
local function discharge(id)
  local packed = call('HGET', CHARGES, id)
  if packed then
    local charged = cmsgpack.unpack(packed)
    count(RESULT_BYTES, charged, -charged.bytes)
    call('HDEL', CHARGES, id)
  end
  call('ZREM', CHARGED_UNTIL, id)
end
--- Whether there is no room for a result of so many bytes: \`FlowLoad.overfull\` of \`libs/runner/src/flow\`.
local function overfull(id, queueKey, bytes)
  local all, flow = unpack(call('HMGET', evaluationKey(id), 'allResults', 'flowResults'))
  local function full(held, share) return held >= share or bytes > share end
  if full(number(RESULT_BYTES, ''), tonumber(all or math.huge)) then return true end
  return queueKey.level ~= 'exempt' and full(number(RESULT_BYTES, queueKey.flowPath), tonumber(flow or math.huge))
end
--- How long results of so many bytes are kept after the end, ms: \`retentionOf\` of \`retention.ts\`.
local function retentionOf(bytes, retentionMs)
  local share = math.min(1, SMALL_RESULT_BYTES / math.max(bytes, 1))
  return math.max(math.floor(retentionMs * share), math.min(retentionMs, LEAST_RETENTION_MS))
end
--- An evaluation is over: from now on its results expire, the sooner the larger they are.
local function expireResults(id)
  local packed = call('HGET', CHARGES, id)
  local bytes = packed and cmsgpack.unpack(packed).bytes or 0
  local ms = retentionOf(bytes, number(evaluationKey(id), 'retention'))
  for _, name in ipairs({ evaluationKey(id), resultsKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  if packed then call('ZADD', CHARGED_UNTIL, nowMs() + ms, id) end
end
`;

const LIFE = `
local function stateOf(id) return call('HGET', evaluationKey(id), 'state') or 'unknown' end

--- What a lease is for: {evaluation, born, queueKey, chunk, claims, items, bytes, cost}; nil when it is not held.
local function leaseOf(name)
  local packed = call('HGET', LEASED, name)
  if not packed or not call('ZSCORE', LEASES, name) then return nil end
  return cmsgpack.unpack(packed)
end
--- Whether a lease is of this evaluation, and not of one that was forgotten and had the same id.
local function holds(lease, id) return lease and lease.evaluation == id and lease.born == call('HGET', evaluationKey(id), 'born') end

--- A lease ends and its seat is free. \`held\`: it is of an evaluation that is still known; \`spentMs\` corrects what the flow was charged, \`judgedMs\` what items are expected to take; nil: unknown.
local function settle(name, lease, held, spentMs, judgedMs)
  call('ZREM', LEASES, name)
  call('HDEL', LEASED, name)
  countRunning(lease.queueKey, -1)
  local id, key = lease.evaluation, evaluationKey(lease.evaluation)
  if held then
    call('HINCRBY', key, 'claimed', -1)
    if judgedMs and call('HEXISTS', LIVING, id) == 1 then
      local itemMs = learnedPrice(number(key, 'itemMs'), lease.items, lease.bytes, judgedMs)
      put(key, 'itemMs', itemMs)
      local digest = call('HGET', key, 'definition')
      if digest then call('SET', priceKey(digest), exact(itemMs), 'PX', PRICE_MS) end
    end
  end
  if spentMs then correct(lease.queueKey, spentMs - lease.cost) end
end

--- The queue key of an evaluation that lives, or lived when the event came.
local function queueKeyOf(id, subject)
  subject.queueKey = subject.queueKey or livingKey(id)
  return subject.queueKey
end

--- What each effect of a transition does. \`subject\` has what the event is about; \`by\` names the call that is told how it ended the evaluation: without it
--- reconcile tells.
local effects = {
  open = function(id, subject) subject.open(id) end,
  queue = function(id, subject) subject.queue(id) end,
  lend = function(_, subject) call('ZADD', LEASES, nowMs() + subject.leaseMs, subject.lease) end,
  store = function(id, subject) subject.store(id) end,
  requeue = function(id, subject)
    local lease = subject.settled
    local waiting = { chunk = lease.chunk, claims = lease.claims + 1, items = lease.items, bytes = lease.bytes }
    wait(id, queueKeyOf(id, subject), waiting, true)
  end,
  close = function(id, subject)
    local queueKey = queueKeyOf(id, subject)
    call('HDEL', LIVING, id)
    call('HDEL', LEAVES, queueKey.leaf)
    count(EVALUATIONS, queueKey, -1)
    for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
      count(CHUNKS, queueKey, -1)
      count(BYTES, queueKey, -cmsgpack.unpack(packed).bytes)
    end
    leave(queueKey)
    call('DEL', waitingKey(id), bodiesKey(id))
    expireResults(id)
  end,
  erase = function(id)
    call('DEL', evaluationKey(id), waitingKey(id), bodiesKey(id), resultsKey(id))
    discharge(id)
  end,
  wake = function(id) call('PUBLISH', CHANGES, id) end,
  stop = function(id) call('PUBLISH', CANCELLATIONS, id) end,
  ['end'] = function(id, subject, state)
    if subject.by then
      call('HSET', evaluationKey(id), 'finisher', subject.by)
    else
      call('HSET', ENDED, id, state == 'failed' and 'lost' or state)
    end
  end,
}

--- Carries a transition out: the lease that ends, the state, the effects.
local function carryOut(id, state, transition, subject)
  if subject.settled then settle(subject.lease, subject.settled, subject.held, subject.spentMs, subject.judgedMs) end
  if transition.to ~= state and transition.to ~= 'unknown' then
    call('HSET', evaluationKey(id), 'state', transition.to)
  end
  for _, effect in ipairs(transition.effects) do effects[effect](id, subject, transition.to) end
  return transition.answer
end
--- Lets an event happen to an evaluation.
local function happen(id, event, facts, subject)
  local state = stateOf(id)
  return carryOut(id, state, transitionOf(state, event, facts or {}), subject or {})
end
--- An evaluation that lives has lost some of its keys, even its own state perhaps; what is not there is not made anew.
local function lose(id)
  if call('HEXISTS', LIVING, id) == 0 then return end
  local known = call('EXISTS', evaluationKey(id)) == 1
  carryOut(id, known and 'running' or 'failed', transitionOf('running', 'lose', {}), {})
end
--- An answer, and how an evaluation ended (complete, cancelled or tooLarge) where this call, or the one that it repeats, ended it.
local function reply(id, answer, by) return { answer, call('HGET', evaluationKey(id), 'finisher') == by and stateOf(id) or '' } end
--- A lease ends without a result; \`event\`: release or expire.
local function giveBack(name, event, spentMs)
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  if not lease then
    call('ZREM', LEASES, name)
    call('HDEL', LEASED, name)
    return 'gone'
  end
  local held = holds(lease, id)
  return happen(id, event, { superseded = not held }, { lease = name, settled = lease, held = held, spentMs = spentMs })
end
`;

const ADMISSION = `
--- Why no further evaluation of a flow is accepted; nil when it is.
local function refusesEvaluation(queueKey, limits)
  if number(BYTES, '') >= limits.bytes then return 'bytes' end
  if number(RESULT_BYTES, '') >= limits.results then return 'results' end
  if queueKey.level == 'exempt' then return nil end
  if number(EVALUATIONS, '') >= limits.evaluations then return 'evaluations' end
  if number(EVALUATIONS, queueKey.flowPath) >= limits.flowEvaluations then return 'flow-evaluations' end
  if number(CHUNKS, queueKey.flowPath) >= limits.flowChunks then return 'flow-chunks' end
  if number(BYTES, queueKey.flowPath) >= limits.flowBytes then return 'flow-bytes' end
  return number(RESULT_BYTES, queueKey.flowPath) >= limits.flowResults and 'flow-results' or nil
end
--- Why a chunk is not taken; nil when it is. A flow, or queue, that holds nothing takes a chunk of any size.
local function refusesChunk(queueKey, bytes, allBytes, flowBytes)
  local held, flowHeld = number(BYTES, ''), number(BYTES, queueKey.flowPath)
  if held > 0 and held + bytes > allBytes then return 'bytes' end
  return queueKey.level ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > flowBytes and 'flow-bytes' or nil
end

local function accept(id, evaluation, limits)
  local queueKey = withPaths(evaluation.queueKey)
  local refusal = stateOf(id) == 'unknown' and refusesEvaluation(queueKey, limits)
  if refusal then return refusal end
  local function open()
    local key = evaluationKey(id)
    call('HSET', key, 'record', evaluation.record, 'born', evaluation.born, 'total', 0, 'done', 0, 'claimed', 0, 'next', 0)
    call('HSET', key, 'deadline', exact(nowMs() + evaluation.leftMs), 'itemMs', exact(evaluation.itemMs), 'flowBytes', exact(limits.flowBytes))
    call('HSET', key, 'allResults', exact(limits.results), 'flowResults', exact(limits.flowResults), 'retention', exact(evaluation.retentionMs))
    if evaluation.definition then call('HSET', key, 'definition', evaluation.definition) end
    call('PEXPIRE', key, exact(evaluation.ttlMs))
    call('SET', FORM, REDIS_FORM, 'NX')
    call('HSET', LIVING, id, cmsgpack.pack(queueKey))
    call('HSET', LEAVES, queueKey.leaf, id)
    count(EVALUATIONS, queueKey, 1)
  end
  return happen(id, 'accept', {}, { open = open, queueKey = queueKey })
end

--- \`chunk\`: {firstItem, items, bytes, body}. A chunk that is sent again is recognized by its first item. -> queued, over, or a refusal
local function enqueue(id, chunk, ttlMs, allBytes)
  local key = evaluationKey(id)
  local queueKey = livingKey(id)
  if not queueKey then return 'over' end
  local resent = chunk.firstItem < number(key, 'next')
  local refusal = stateOf(id) == 'receiving' and not resent and refusesChunk(queueKey, chunk.bytes, allBytes, number(key, 'flowBytes'))
  if refusal then return refusal end
  local function queue()
    local index = call('HINCRBY', key, 'total', 1) - 1
    put(key, 'next', chunk.firstItem + chunk.items)
    call('HSET', bodiesKey(id), index, chunk.body)
    wait(id, queueKey, { chunk = index, claims = 0, items = chunk.items, bytes = chunk.bytes }, false)
    for _, name in ipairs({ key, waitingKey(id), bodiesKey(id) }) do call('PEXPIRE', name, exact(ttlMs)) end
  end
  return happen(id, 'enqueue', { resent = resent }, { queue = queue, queueKey = queueKey })
end

local function seal(id)
  local key = evaluationKey(id)
  return reply(id, happen(id, 'seal', { last = call('HGET', key, 'done') == call('HGET', key, 'total') }, { by = 'seal' }), 'seal')
end
`;

const CHOICE = `
--- Seats that one flow may hold while others wait: half of all, at least one; all where the number is unknown.
local function seatsPerFlow(now)
  local seats = 0
  for _, consumer in ipairs(call('ZRANGE', CONSUMERS, '(' .. exact(now), '+inf', 'BYSCORE')) do seats = seats + number(SEATS, consumer) end
  return seats > 0 and math.max(1, math.ceil(seats / 2)) or math.huge
end
local function choose(cap)
  local exempt = call('ZRANGE', readyKey('exempt'), 0, 0)[1]
  if exempt then return 'exempt', exempt end
  local levels = call('ZRANGE', readyKey(''), 0, -1)
  for _, bound in ipairs({ cap, math.huge }) do
    for _, level in ipairs(levels) do
      local from = 0
      repeat
        local flows = call('ZRANGE', readyKey(level), from, from + 15)
        for _, flow in ipairs(flows) do
          if number(RUNNING, level .. '/' .. flow) < bound then return level, flow end
        end
        from = from + 16
      until #flows < 16
    end
  end
end
--- The queue key at the front of a flow, as far as the tree knows it.
local function front(level, flow)
  local division = call('ZRANGE', readyKey(level .. '/' .. flow), 0, 0)[1]
  local queueKey = withPaths({ level = level, flow = flow, division = division, weight = 1 })
  queueKey.leaf = call('ZRANGE', readyKey(queueKey.divisionPath), 0, 0)[1]
  return queueKey
end
`;

const RECOUNT = `
--- What was lost took part of the counts along: they are made anew.
local function recount()
  call('DEL', CHUNKS, BYTES, EVALUATIONS, RUNNING, RESULT_BYTES)
  for _, id in ipairs(call('HKEYS', LIVING)) do
    local queueKey = livingKey(id)
    count(EVALUATIONS, queueKey, 1)
    for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
      count(CHUNKS, queueKey, 1)
      count(BYTES, queueKey, cmsgpack.unpack(packed).bytes)
    end
  end
  for _, id in ipairs(call('HKEYS', CHARGES)) do
    local charged = cmsgpack.unpack(call('HGET', CHARGES, id))
    count(RESULT_BYTES, charged, charged.bytes)
    if call('EXISTS', resultsKey(id)) == 0 then discharge(id) end
  end
  for _, name in ipairs(call('ZRANGE', LEASES, 0, -1)) do
    local lease = leaseOf(name)
    if lease then countRunning(lease.queueKey, 1) else call('ZREM', LEASES, name) end
  end
  for _, name in ipairs(call('HKEYS', LEASED)) do
    if not call('ZSCORE', LEASES, name) then call('HDEL', LEASED, name) end
  end
end
`;

/** Arguments of the script {@link ACCEPT}. The script registers an evaluation, or refuses it without storing anything. */
export interface AcceptArguments {
  /** Id of the evaluation. */
  readonly id: string;
  /** Record, queue key and times of the evaluation. */
  readonly evaluation: AcceptedEvaluation;
  /** Limits above which the evaluation is refused. */
  readonly limits: AdmissionLimits;
}

/**
 * Registers an evaluation, or refuses it without storing anything.
 *
 * Reason for an atomic script: an evaluation is counted only if the counts of its flow, read in the same step, leave room.
 *
 * Returns `accepted`, `exists` if an evaluation with this id is already stored, or the name of the limit that refuses the evaluation.
 */
export const ACCEPT: LuaCommand<AcceptArguments> = {
  name: 'accept',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, ADMISSION, `
return accept(args.id, args.evaluation, args.limits)
`].join('\n'),
};

/** Arguments of the script {@link CANCEL}. The script cancels an evaluation. */
export interface CancelArguments {
  /** Id of the evaluation. */
  readonly id: string;
  /** Random text that only this call and its repetitions use. */
  readonly nonce: string;
}

/**
 * Cancels an evaluation. Its waiting chunks are dropped, and consumers of its running chunks receive a message.
 *
 * Reason for an atomic script: an evaluation ends only once, because its state is read and changed in one step.
 *
 * Returns {answer, end}. `answer` is `cancelled`, or `over` if the evaluation is unknown or has already ended. `end` is `cancelled` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same.
 */
export const CANCEL: LuaCommand<CancelArguments> = {
  name: 'cancel',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
return reply(args.id, happen(args.id, 'cancel', {}, { by = args.nonce }), args.nonce)
`].join('\n'),
};

/** Arguments of the script {@link CHECK_CLAIMS}. The script fails if the keys that a claim (assignment of a waiting chunk to a consumer) reads have values of another Redis type. */
export interface CheckClaimsArguments {
}

/**
 * Fails if the keys that a claim (assignment of a waiting chunk to a consumer) reads have values of another Redis type. Other software can cause this, and every claim would then fail in the same way. Because of this check, clients that wait for results learn that no results can arrive.
 *
 * Reason for an atomic script: the script reads the same keys as a claim, and each read depends on the previous one.
 *
 * Returns nothing.
 */
export const CHECK_CLAIMS: LuaCommand<CheckClaimsArguments> = {
  name: 'check-claims',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, CHOICE, `
local function firstOther(kind, names)
  for _, name in ipairs(names) do
    local held = call('TYPE', name).ok
    if held ~= 'none' and held ~= kind then return redis.error_reply('WRONGTYPE ' .. name .. ' holds a ' .. held .. ', not a ' .. kind) end
  end
end

local hashes = { VIRTUAL_TIME, FINISH, RUNNING, CHUNKS, BYTES, EVALUATIONS, RESULT_BYTES, CHARGES, LIVING, LEAVES, LEASED, SEATS, ENDED }
local sets = { CHARGED_UNTIL, LEASES, CONSUMERS, readyKey('') }
for level in pairs(LEVEL_WEIGHTS) do table.insert(sets, readyKey(level)) end
local other = firstOther('hash', hashes) or firstOther('zset', sets)
if other then return other end
local level, flow = choose(seatsPerFlow(nowMs()))
if level then front(level, flow) end
`].join('\n'),
};

/** Arguments of the script {@link CLAIM}. The script chooses the next chunk by the same rules as `FairQueue.pick`, and leases it to a consumer. */
export interface ClaimArguments {
  /** Duration of the lease on the chunk, in ms. */
  readonly leaseMs: number;
  /** Random text that no other claim uses, so that no two leases have the same name. */
  readonly nonce: string;
}

/**
 * Chooses the next chunk by the same rules as `FairQueue.pick`, and leases it to a consumer. If the stored items of a chunk are lost, its evaluation fails, because it can never be complete. The script then chooses another chunk.
 *
 * Reason for an atomic script: the chunk is the next one at this moment, and only one consumer gets it.
 *
 * Returns nil if no chunk waits. Otherwise {JSON of `ClaimAnswer`, packed items of the chunk, packed record of the evaluation}.
 */
export const CLAIM: LuaCommand<ClaimArguments> = {
  name: 'claim',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, CHOICE, `
local now = nowMs()

--- The chunk is the consumer's: the lease's name.
local function lend(id, queueKey, waiting, cost, born)
  local name = table.concat({ id, waiting.chunk, waiting.claims, args.nonce }, '/')
  local lease = { evaluation = id, born = born, queueKey = queueKey, cost = cost }
  for _, field in ipairs({ 'chunk', 'claims', 'items', 'bytes' }) do lease[field] = waiting[field] end
  call('HSET', LEASED, name, cmsgpack.pack(lease))
  call('HINCRBY', evaluationKey(id), 'claimed', 1)
  countRunning(queueKey, 1)
  happen(id, 'claim', {}, { lease = name, leaseMs = args.leaseMs })
  return name
end

--- What others wrote under the names of an evaluation's keys is deleted: it would end this command here each time, whoever claims.
local function keepOwn(id)
  if call('TYPE', waitingKey(id)).ok ~= 'list' then call('DEL', waitingKey(id)) end
  for _, name in ipairs({ evaluationKey(id), bodiesKey(id) }) do
    if call('TYPE', name).ok ~= 'hash' then call('DEL', name) end
  end
end

local cap = seatsPerFlow(now)
while true do
  local level, flow = choose(cap)
  if not level then return nil end
  local first = front(level, flow)
  local id = call('HGET', LEAVES, first.leaf)
  local queueKey = id and livingKey(id)
  if id then keepOwn(id) end
  local packed = queueKey and call('LPOP', waitingKey(id))
  if not packed then
    -- The keys of the evaluation were lost: its queue key leaves the tree, and reconcile finds out what became of it.
    leave(first)
  else
    local waiting = cmsgpack.unpack(packed)
    local record, born, itemMs, celSpent, deadline = unpack(call('HMGET', evaluationKey(id), 'record', 'born', 'itemMs', 'celSpent', 'deadline'))
    count(CHUNKS, queueKey, -1)
    count(BYTES, queueKey, -waiting.bytes)
    local cost = chunkCost(tonumber(itemMs or 0), waiting.items, waiting.bytes)
    serve(queueKey, cost, call('EXISTS', waitingKey(id)) == 1)
    local body = call('HGET', bodiesKey(id), waiting.chunk)
    if body and record then
      local answer = { lease = lend(id, queueKey, waiting, cost, born), chunk = waiting.chunk, claims = waiting.claims, cost = cost }
      answer.celSpent = tonumber(celSpent or 0)
      answer.leftMs = tonumber(deadline) - now
      answer.waitedMs = math.max(0, now - waiting.queuedAt)
      return { cjson.encode(answer), body, record }
    end
    lose(id)
  end
end
`].join('\n'),
};

/** Arguments of the script {@link COMMIT}. The script stores the result of a claimed chunk once. */
export interface CommitArguments {
  /** Id of the evaluation. */
  readonly id: string;
  /** Index of the chunk in its evaluation, from 0. */
  readonly chunk: number;
  /** Name of the lease that the claim returned. */
  readonly lease: string;
  /** Time in ms for which the chunk occupied a seat; undefined if unknown. */
  readonly spentMs: number | undefined;
  /** Result of the chunk. */
  readonly result: ResultArguments;
}

/**
 * Stores the result of a claimed chunk once. Result, count and tally change together, so that they always agree.
 *
 * Reason for an atomic script: a result is stored only once, and only if the lease still holds the chunk.
 *
 * Returns {answer, end}. `answer` is `stored`, or `duplicate` if a result of the chunk is already stored. `answer` is `gone` if the lease or the evaluation has ended, or `tooLarge` if the limits for stored results are reached. `end` is `complete` or `tooLarge` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same.
 */
export const COMMIT: LuaCommand<CommitArguments> = {
  name: 'commit',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
local id, key = args.id, evaluationKey(args.id)
local lease = leaseOf(args.lease)
local held = holds(lease, id)
local queueKey = livingKey(id)
local facts = {
  judged = call('HEXISTS', resultsKey(id), args.chunk) == 1,
  superseded = not held,
  overfull = queueKey and overfull(id, queueKey, args.result.bytes),
  last = number(key, 'done') + 1 == number(key, 'total'),
}
local function store()
  local result = args.result
  call('HSET', resultsKey(id), args.chunk, result.packed)
  charge(id, queueKey, result.bytes)
  call('HINCRBYFLOAT', key, 'celSpent', exact(result.celCharge))
  for name, by in pairs(result.tally) do call('HINCRBYFLOAT', key, name, exact(by)) end
  for _, name in ipairs({ key, resultsKey(id) }) do call('PEXPIRE', name, exact(result.ttlMs)) end
  call('HDEL', bodiesKey(id), args.chunk)
  call('HINCRBY', key, 'done', 1)
end
local subject = { lease = args.lease, settled = lease, held = held, spentMs = args.spentMs, judgedMs = args.result.judgedMs, store = store, by = args.lease }
return reply(id, happen(id, 'commit', facts, subject), args.lease)
`].join('\n'),
};

/** Arguments of the script {@link ENQUEUE}. The script adds the next chunk to an evaluation. */
export interface EnqueueArguments {
  /** Id of the evaluation. */
  readonly id: string;
  /** Chunk that is added. */
  readonly chunk: ChunkArguments;
  /** Lifetime of the chunk's keys, in ms. */
  readonly ttlMs: number;
  /** Maximum number of bytes of the waiting chunks of all flows, above which the chunk is refused. */
  readonly allBytes: number;
}

/**
 * Adds the next chunk to an evaluation. A chunk that is sent again is recognized by its first item, and is queued only once.
 *
 * Reason for an atomic script: a repeated chunk is counted once. Its bytes are added only if the limits, read in the same step, leave room.
 *
 * Returns {answer, waiting}. `answer` is `queued`, `over` if the evaluation accepts no more chunks, or the name of the limit that refuses the chunk. `waiting` is the number of waiting chunks of all evaluations.
 */
export const ENQUEUE: LuaCommand<EnqueueArguments> = {
  name: 'enqueue',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, ADMISSION, `
return { enqueue(args.id, args.chunk, args.ttlMs, args.allBytes), number(CHUNKS, '') }
`].join('\n'),
};

/** Arguments of the script {@link EXPIRE_LEASES}. The script ends expired leases, and returns their chunks to the queue. */
export interface ExpireLeasesArguments {
  /** True to end all leases, as if every consumer had died long ago. */
  readonly all: boolean;
}

/**
 * Ends expired leases, and returns their chunks to the queue. One call handles only a limited number of leases.
 *
 * Reason for an atomic script: only a lease that has expired by the server's clock is ended, and only once.
 *
 * Returns the number of waiting chunks of all evaluations.
 */
export const EXPIRE_LEASES: LuaCommand<ExpireLeasesArguments> = {
  name: 'expire-leases',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
local until_ = args.all and '+inf' or exact(nowMs())
for _, name in ipairs(call('ZRANGE', LEASES, '-inf', until_, 'BYSCORE', 'LIMIT', 0, LEASES_A_CALL)) do giveBack(name, 'expire', nil) end
return number(CHUNKS, '')
`].join('\n'),
};

/** Arguments of the script {@link FORGET}. The script deletes an evaluation with everything that is stored for it. */
export interface ForgetArguments {
  /** Id of the evaluation. */
  readonly id: string;
}

/**
 * Deletes an evaluation with everything that is stored for it.
 *
 * Reason for an atomic script: the counts decrease by the values that the evaluation has at this moment.
 *
 * Returns `forgotten`.
 */
export const FORGET: LuaCommand<ForgetArguments> = {
  name: 'forget',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
return happen(args.id, 'forget')
`].join('\n'),
};

/** Arguments of the script {@link JOIN}. The script registers consumers for a time, or removes them. */
export interface JoinArguments {
  /** Names of the consumers. */
  readonly consumers: readonly string[];
  /** Number of seats of each consumer. */
  readonly seats: number;
  /** Number of seats of each consumer that other work leaves free. */
  readonly free: number;
  /** Time in ms for which the consumers are registered; 0 to remove them. */
  readonly ms: number;
  /** Number of the storage format that this release writes (`stored-form.ts`). */
  readonly form: number;
}

/**
 * Registers consumers for a time, or removes them. Also removes all other consumers whose registration has expired.
 *
 * Reason for an atomic script: the time comes from the server, and consumers with an expired registration are no longer counted.
 *
 * Returns nothing.
 */
export const JOIN: LuaCommand<JoinArguments> = {
  name: 'join',
  lua: [KEYS, `
local now = nowMs()
for _, consumer in ipairs(args.consumers) do
  if args.ms == 0 then
    call('ZREM', CONSUMERS, consumer)
  else
    call('SET', FORM, args.form, 'NX')
    call('ZADD', CONSUMERS, now + args.ms, consumer)
    call('HSET', SEATS, consumer, args.seats)
    call('HSET', FREE_SEATS, consumer, args.free)
  end
end
for _, consumer in ipairs(call('HKEYS', SEATS)) do
  local until_ = call('ZSCORE', CONSUMERS, consumer)
  if not until_ or tonumber(until_) <= now then
    call('ZREM', CONSUMERS, consumer)
    call('HDEL', SEATS, consumer)
    call('HDEL', FREE_SEATS, consumer)
  end
end
`].join('\n'),
};

/** Arguments of the script {@link PROBE}. The script tests whether the Redis server accepts writes: sets a key by a script, as all other commands do. */
export interface ProbeArguments {
}

/**
 * Tests whether the Redis server accepts writes: sets a key by a script, as all other commands do. Fails if the server accepts no writes (memory full, replica, no permission).
 *
 * Reason for an atomic script: a server may accept plain commands but refuse scripts, so the probe must also be a script.
 *
 * Returns nothing.
 */
export const PROBE: LuaCommand<ProbeArguments> = {
  name: 'probe',
  lua: [KEYS, `
call('SET', PREFIX .. ':probe', 1, 'PX', 10000)
`].join('\n'),
};

/** Arguments of the script {@link RECONCILE}. The script repairs the stored state. */
export interface ReconcileArguments {
  /** Time in ms after the last reconciliation within which this process does not reconcile; at most 60000. */
  readonly periodMs: number;
  /** Time in ms after its deadline at which an evaluation is cancelled. */
  readonly graceMs: number;
  /** Random text that only this call and its repetitions use. */
  readonly nonce: string;
}

/**
 * Repairs the stored state. Only one process per period does this. Expired results are no longer charged to any flow (the queue of one client). For each live evaluation, the first applicable rule is used. Rule 1. The evaluation fails if a chunk is lost, which means that the chunk is neither waiting, nor claimed, nor done. Rule 2. The evaluation is cancelled if its deadline passed more than `graceMs` ago. By then, no process works on it. Rule 3. If the evaluation has waiting chunks but its queue key is missing in the tree of the fair queue, the key is inserted there.
 *
 * Reason for an atomic script: all compared data come from the same moment, and each end is reported to only one process.
 *
 * Returns {living, did, id, end, …}. `living` is the number of evaluations that have not ended. `did` is `reconciled`, or empty if another process reconciled within the period. Each `id` with its `end` (`lost` or `cancelled`) describes an evaluation that ended without a reply to another command. One call and its repetitions return it.
 */
export const RECONCILE: LuaCommand<ReconcileArguments> = {
  name: 'reconcile',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, RECOUNT, `
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
`].join('\n'),
};

/** Arguments of the script {@link RELEASE}. The script returns a claimed chunk to the queue. */
export interface ReleaseArguments {
  /** Name of the lease that the claim returned. */
  readonly lease: string;
}

/**
 * Returns a claimed chunk to the queue. The flow (the queue of one client) that was charged for the chunk gets the charge back.
 *
 * Reason for an atomic script: a chunk is returned only once, and only if the lease still holds it.
 *
 * Returns `released`, or `gone` if the lease or the evaluation has ended.
 */
export const RELEASE: LuaCommand<ReleaseArguments> = {
  name: 'release',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
return giveBack(args.lease, 'release', 0)
`].join('\n'),
};

/** Arguments of the script {@link RENEW}. The script extends the leases of claimed chunks. */
export interface RenewArguments {
  /** Names of the leases. */
  readonly leases: readonly string[];
  /** Duration of the extended leases from now on, in ms. */
  readonly leaseMs: number;
}

/**
 * Extends the leases of claimed chunks.
 *
 * Reason for an atomic script: a lease is extended only if it still holds its chunk.
 *
 * Returns a list with a number for each lease. The number is 1 if the lease was extended. It is 0 if another consumer has the chunk or the evaluation has ended.
 */
export const RENEW: LuaCommand<RenewArguments> = {
  name: 'renew',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, `
local answers = {}
for i, name in ipairs(args.leases) do
  local lease = leaseOf(name)
  local id = lease and lease.evaluation
  local held = lease and happen(id, 'renew', { superseded = not holds(lease, id) }, { lease = name, leaseMs = args.leaseMs })
  answers[i] = held == 'held' and 1 or 0
end
return answers
`].join('\n'),
};

/** Arguments of the script {@link REPAIR}. The script repairs the keys that all evaluations share after other software damaged them. */
export interface RepairArguments {
  /** Id of the evaluation whose acceptance failed halfway, so that it can be accepted again; empty if there is none. */
  readonly id: string;
}

/**
 * Repairs the keys that all evaluations share after other software damaged them. A key of another type gets a name with `:damaged:`, and expires a day later. Values of another form are deleted. An evaluation that lost a part fails, and the others go on. The tree of the fair queue and all counts are made anew.
 *
 * Reason for an atomic script: no command meets keys of which only some are repaired.
 *
 * Returns the names of the keys that had another type, and the ids of the evaluations that failed.
 */
export const REPAIR: LuaCommand<RepairArguments> = {
  name: 'repair',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, RECOUNT, `
local KEEP_DAMAGED_MS = 86400000
local report = {}

--- Moves a key away if it has another type. Returns whether it had.
local function keep(kind, name)
  local held = call('TYPE', name).ok
  if held == 'none' or held == kind then return false end
  local aside = PREFIX .. ':damaged:' .. string.sub(name, #PREFIX + 2)
  call('RENAME', name, aside)
  call('PEXPIRE', aside, KEEP_DAMAGED_MS)
  table.insert(report, name)
  return true
end
--- The table in a packed value that has all these fields as numbers; nil for any other value.
local function tableWith(packed, numbers)
  local ok, value = pcall(cmsgpack.unpack, packed or '')
  if not ok or type(value) ~= 'table' then return nil end
  for _, field in ipairs(numbers) do
    if type(value[field]) ~= 'number' then return nil end
  end
  return value
end
local function isQueueKey(key)
  if type(key) ~= 'table' or type(key.weight) ~= 'number' then return false end
  for _, field in ipairs({ 'level', 'flow', 'division', 'leaf', 'levelPath', 'flowPath', 'divisionPath' }) do
    if type(key[field]) ~= 'string' then return false end
  end
  return key.level == 'exempt' or LEVEL_WEIGHTS[key.level] ~= nil
end

--- Nodes of the tree that are known: they are made anew.
local nodes = { [''] = true, exempt = true }
local function addPaths(queueKey)
  for _, node in ipairs({ queueKey.levelPath, queueKey.flowPath, queueKey.divisionPath }) do nodes[node] = true end
end

if args.id ~= '' then
  -- The acceptance may have failed at a node to which no other way leads.
  local queueKey = call('TYPE', LIVING).ok == 'hash' and tableWith(call('HGET', LIVING, args.id), {})
  if queueKey and isQueueKey(queueKey) then addPaths(queueKey) end
  call('DEL', evaluationKey(args.id), waitingKey(args.id), bodiesKey(args.id), resultsKey(args.id))
  if call('TYPE', LIVING).ok == 'hash' then call('HDEL', LIVING, args.id) end
end

local hashes = { VIRTUAL_TIME, FINISH, RUNNING, CHUNKS, BYTES, EVALUATIONS, RESULT_BYTES, CHARGES, LIVING, LEAVES, LEASED, SEATS, FREE_SEATS, ENDED }
for _, name in ipairs(hashes) do keep('hash', name) end
for _, name in ipairs({ CHARGED_UNTIL, LEASES, CONSUMERS, TOKEN_TAKERS }) do keep('zset', name) end
keep('set', PREFIX .. ':studies')
for _, name in ipairs({ VIRTUAL_TIME, FINISH, SEATS, FREE_SEATS }) do
  for _, field in ipairs(call('HKEYS', name)) do
    if not tonumber(call('HGET', name, field)) then call('HDEL', name, field) end
  end
end

--- Leases whose content is readable, counted by evaluation.
local leases = {}
for _, name in ipairs(call('HKEYS', LEASED)) do
  local lease = tableWith(call('HGET', LEASED, name), { 'chunk', 'claims', 'items', 'bytes', 'cost' })
  if lease and isQueueKey(lease.queueKey) and type(lease.evaluation) == 'string' and call('ZSCORE', LEASES, name) then
    leases[lease.evaluation] = (leases[lease.evaluation] or 0) + 1
  else
    call('HDEL', LEASED, name)
    call('ZREM', LEASES, name)
  end
end
for _, name in ipairs(call('ZRANGE', LEASES, 0, -1)) do
  if call('HEXISTS', LEASED, name) == 0 then call('ZREM', LEASES, name) end
end

for _, id in ipairs(call('HKEYS', CHARGES)) do
  local charged = tableWith(call('HGET', CHARGES, id), { 'bytes' })
  if not charged or type(charged.levelPath) ~= 'string' or type(charged.flowPath) ~= 'string' then
    call('HDEL', CHARGES, id)
    call('ZREM', CHARGED_UNTIL, id)
  elseif call('HEXISTS', LIVING, id) == 0 and not call('ZSCORE', CHARGED_UNTIL, id) then
    call('ZADD', CHARGED_UNTIL, nowMs() + math.max(0, call('PTTL', resultsKey(id))), id)
  end
end

for level in pairs(LEVEL_WEIGHTS) do nodes[level] = true end
local function addChildren(node, depth)
  nodes[node] = true
  if depth == 0 or call('TYPE', readyKey(node)).ok ~= 'zset' then return end
  for _, child in ipairs(call('ZRANGE', readyKey(node), 0, -1)) do addChildren(node .. '/' .. child, depth - 1) end
end
for level in pairs(LEVEL_WEIGHTS) do addChildren(level, 2) end
addChildren('exempt', 2)

--- Whether all that a living evaluation needs is there, in its form.
local function isWhole(id, queueKey)
  local key, damaged = evaluationKey(id), false
  for name, kind in pairs({ [key] = 'hash', [waitingKey(id)] = 'list', [bodiesKey(id)] = 'hash', [resultsKey(id)] = 'hash' }) do
    if keep(kind, name) then damaged = true end
  end
  if damaged or not isQueueKey(queueKey) then return false end
  local state = stateOf(id)
  if (state ~= 'receiving' and state ~= 'running') or call('HEXISTS', key, 'record') == 0 then return false end
  for _, field in ipairs({ 'total', 'done', 'next', 'deadline', 'itemMs', 'flowBytes', 'allResults', 'flowResults', 'retention' }) do
    if not tonumber(call('HGET', key, field)) then return false end
  end
  for _, field in ipairs(call('HKEYS', key)) do
    if (field == 'celSpent' or string.find(field, '^[np]:')) and not tonumber(call('HGET', key, field)) then return false end
  end
  for _, packed in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
    if not tableWith(packed, { 'chunk', 'claims', 'items', 'bytes', 'queuedAt' }) then return false end
  end
  call('HSET', key, 'claimed', leases[id] or 0)
  return number(key, 'done') + (leases[id] or 0) + call('LLEN', waitingKey(id)) >= number(key, 'total')
end
--- An evaluation ends as failed, whatever is left of it.
local function fail(id, queueKey)
  table.insert(report, id)
  call('HDEL', LIVING, id)
  call('DEL', waitingKey(id), bodiesKey(id))
  if call('EXISTS', evaluationKey(id)) == 1 then
    call('HSET', evaluationKey(id), 'state', 'failed')
    if tonumber(call('HGET', evaluationKey(id), 'total') or '') == nil then call('HSET', evaluationKey(id), 'total', 0) end
    if queueKey then call('HSET', ENDED, id, 'lost') end
  end
  call('PUBLISH', CHANGES, id)
  call('PUBLISH', CANCELLATIONS, id)
end

local known = {}
for _, id in ipairs(call('HKEYS', LIVING)) do known[id] = true end
for _, id in ipairs(call('HVALS', LEAVES)) do known[id] = true end
call('DEL', LEAVES)
local waiting = {}
for id in pairs(known) do
  local queueKey = tableWith(call('HGET', LIVING, id), {})
  if queueKey and isQueueKey(queueKey) then addPaths(queueKey) end
  if isWhole(id, queueKey) then
    call('HSET', LEAVES, queueKey.leaf, id)
    if call('EXISTS', waitingKey(id)) == 1 then table.insert(waiting, queueKey) end
  else
    fail(id, queueKey)
  end
end
for node in pairs(nodes) do
  if not keep('zset', readyKey(node)) then call('DEL', readyKey(node)) end
end
for _, queueKey in ipairs(waiting) do arrive(queueKey) end
recount()
return report
`].join('\n'),
};

/** Arguments of the script {@link SEAL}. The script seals an evaluation, which means that no more chunks will be added. */
export interface SealArguments {
  /** Id of the evaluation. */
  readonly id: string;
}

/**
 * Seals an evaluation, which means that no more chunks will be added.
 *
 * Reason for an atomic script: no chunk ends between the check for unfinished chunks and the sealing, so exactly one command completes the evaluation.
 *
 * Returns {answer, end}. `answer` is `sealed`, or `gone` if the evaluation is unknown. `end` is `complete` if this call ended the evaluation, and empty otherwise. A retry of the call returns the same.
 */
export const SEAL: LuaCommand<SealArguments> = {
  name: 'seal',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, ADMISSION, `
return seal(args.id)
`].join('\n'),
};

/** Arguments of the script {@link SUBMIT}. The script accepts a whole evaluation with all its chunks in order and seals it, so that no more chunks can follow. */
export interface SubmitArguments {
  /** Id of the evaluation. */
  readonly id: string;
  /** Record, queue key and times of the evaluation. */
  readonly evaluation: AcceptedEvaluation;
  /** Limits above which the evaluation is refused. */
  readonly limits: AdmissionLimits;
  /** Chunks of the evaluation, in order. */
  readonly chunks: readonly ChunkArguments[];
  /** Lifetime of the chunks' keys, in ms. */
  readonly ttlMs: number;
}

/**
 * Accepts a whole evaluation with all its chunks in order and seals it, so that no more chunks can follow. If the evaluation is refused, nothing is stored.
 *
 * Reason for an atomic script: an evaluation is stored completely or not at all.
 *
 * Returns {answer, end, waiting}. `answer` is `accepted`, `exists` if an evaluation with this id is already stored, or the name of the limit that refuses the evaluation. `end` is `complete` if the evaluation has no chunks. Otherwise `end` is empty. `waiting` is the number of waiting chunks of all evaluations.
 */
export const SUBMIT: LuaCommand<SubmitArguments> = {
  name: 'submit',
  lua: [KEYS, CONSTANTS, FAIR_QUEUING, RESULTS, LIFE, ADMISSION, `
local answer = accept(args.id, args.evaluation, args.limits)
if answer ~= 'accepted' then return { answer, '', number(CHUNKS, '') } end
for _, chunk in ipairs(args.chunks) do
  answer = enqueue(args.id, chunk, args.ttlMs, args.limits.bytes)
  if answer ~= 'queued' then
    happen(args.id, 'forget')
    return { answer, '', number(CHUNKS, '') }
  end
end
return { 'accepted', seal(args.id)[2], number(CHUNKS, '') }
`].join('\n'),
};

/** Arguments of the script {@link TAKE_TOKENS}. The script grants a process tokens of rate limits that all processes share. */
export interface TakeTokensArguments {
  /** Name of the requesting process. */
  readonly process: string;
  /** Time in ms for which the process is counted as a taker of tokens. */
  readonly countsMs: number;
  /** Requested tokens, with one request for each rate limit. */
  readonly requests: readonly TokenRequest[];
}

/**
 * Grants a process tokens of rate limits that all processes share. For each rate limit, the process receives the requested number of tokens. If fewer tokens are available, the process receives only the available tokens.
 *
 * Reason for an atomic script: tokens that accumulate with the server's time are granted only once.
 *
 * Returns {processes, granted, nextMs, …}. `processes` is the number of processes that take tokens. Each request adds a pair to the list. `granted` is the number of granted tokens. `nextMs` is the time in ms until another token is available, or 0 if a token is available now.
 */
export const TAKE_TOKENS: LuaCommand<TakeTokensArguments> = {
  name: 'take-tokens',
  lua: [KEYS, `
local now = nowMs()
call('ZADD', TOKEN_TAKERS, now + args.countsMs, args.process)
call('ZREMRANGEBYSCORE', TOKEN_TAKERS, '-inf', now)
local answer = { call('ZCARD', TOKEN_TAKERS) }
for _, request in ipairs(args.requests) do
  local key = tokensKey(request.name)
  if call('TYPE', key).ok ~= 'hash' then call('DEL', key) end
  local there = call('HMGET', key, 'tokens', 'at')
  local tokens = request.size
  -- What others wrote there counts as a rate that is full.
  if tonumber(there[1] or '') and tonumber(there[2] or '') then
    local gained = math.max(0, now - tonumber(there[2])) / 1000 * request.perSecond
    tokens = math.min(request.size, tonumber(there[1]) + gained)
  end
  local given = math.min(request.tokens, math.floor(tokens))
  tokens = tokens - given
  call('HSET', key, 'tokens', exact(tokens), 'at', exact(now))
  -- A rate that is full again needs no key.
  call('PEXPIRE', key, exact(math.min(math.ceil(request.size / request.perSecond * 1000) + 1000, 1e12)))
  answer[#answer + 1] = given
  answer[#answer + 1] = tokens >= 1 and 0 or math.ceil((1 - tokens) / request.perSecond * 1000)
end
return answer
`].join('\n'),
};
