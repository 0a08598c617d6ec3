import {
  GREATEST_COST_MS,
  LEARNING_RATE,
  LEAST_COST_MS,
  LEAST_SAMPLE_CAP_MS,
  MS_PER_BYTE,
  SAMPLE_GROWTH,
  SAMPLE_ITEMS,
} from '../../../flow/chunk-cost.ts';
import { DEBT_CAP_MS } from '../../../flow/scheduling-node.ts';
import { LEVEL_WEIGHTS } from '../../../flow/level.ts';

/**
 * Hierarchical start-time fair queuing in Lua: what `flow/contest.ts` and `flow/fair-queue.ts` say in TypeScript, with the same arithmetic
 * in the same order, so that both choose the same chunks (`test/same-order.spec.ts`). Every script begins with this. KEYS[1] is the
 * installation's prefix, a hash tag; all other keys are made from it:
 *
 * - `fq:ready:<node>` sorted set: ready contenders by start tag. Nodes: `` (levels), `<level>`, `<level>/<flow>`, `<level>/<flow>/<division>`
 * - `fq:v` hash: virtual time by node. `fq:f` hash: finish tags of levels and flows that are away
 * - `fq:run` hash: seats held, by flow, by level. `fq:chunks`, `fq:bytes`, `fq:evaluations` hashes: what waits or lives, by flow, level and (``) in all
 */
export const FAIR_QUEUING = `
local P = KEYS[1]
local call = redis.call
local V, F = P .. ':fq:v', P .. ':fq:f'
local RUN, CHUNKS, BYTES, EVALUATIONS = P .. ':fq:run', P .. ':fq:chunks', P .. ':fq:bytes', P .. ':fq:evaluations'
local LEVEL_WEIGHT = { ${Object.entries(LEVEL_WEIGHTS)
  .map(([level, weight]) => `${level} = ${weight}`)
  .join(', ')} }
local function ready(node) return P .. ':fq:ready:' .. node end
local function evaluationKey(id) return P .. ':ev:' .. id end
local function waitingKey(id) return P .. ':wait:' .. id end
local function bodiesKey(id) return P .. ':body:' .. id end
local function resultsKey(id) return P .. ':res:' .. id end
local function number(key, field) return tonumber(call('HGET', key, field) or '0') end
local function exact(x) return string.format('%.17g', x) end
local function put(key, field, x) call('HSET', key, field, exact(x)) end
local function tag(node, name)
  local start = call('ZSCORE', ready(node), name)
  return start and tonumber(start)
end
local function nowMs()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A place as text: level/flow/division/weight/leaf. Names are URL-encoded, so that the slash is free.
local function placeOf(text)
  local level, flow, division, weight, leaf = string.match(text, '^([^/]*)/([^/]*)/([^/]*)/([^/]*)/(.*)$')
  return { text = text, level = level, flow = flow, division = division, weight = tonumber(weight), leaf = leaf,
    flows = level, divisions = level .. '/' .. flow, evaluations = level .. '/' .. flow .. '/' .. division }
end

local function arriveAt(node, name, remembered)
  if tag(node, name) then return end
  local start = number(V, node)
  if remembered then start = math.max(start, number(F, remembered)) end
  call('ZADD', ready(node), exact(start), name)
end
local function arrive(p)
  arriveAt(p.evaluations, p.leaf)
  arriveAt(p.divisions, p.division)
  arriveAt(p.flows, p.flow, p.divisions)
  if p.level ~= 'exempt' then arriveAt('', p.level, p.level) end
end

local function serveAt(node, name, cost, weight, more, remembered)
  local v = number(V, node)
  local start = tag(node, name) or v
  local finish = start + cost / weight
  v = math.max(v, start)
  if more then call('ZADD', ready(node), exact(finish), name)
  else
    call('ZREM', ready(node), name)
    if remembered then put(F, remembered, finish) else v = math.max(v, finish) end
  end
  put(V, node, v)
end
local function serve(p, cost, more)
  serveAt(p.evaluations, p.leaf, cost, 1, more)
  more = call('EXISTS', ready(p.evaluations)) == 1
  serveAt(p.divisions, p.division, cost, 1, more)
  if not more then call('HDEL', V, p.evaluations) end
  more = call('EXISTS', ready(p.divisions)) == 1
  serveAt(p.flows, p.flow, cost, p.weight, more, p.divisions)
  more = call('EXISTS', ready(p.flows)) == 1
  if p.level ~= 'exempt' then serveAt('', p.level, cost, LEVEL_WEIGHT[p.level], more, p.level) end
end

local function leaveAt(node, name, remembered)
  local start = tag(node, name)
  if not start then return end
  call('ZREM', ready(node), name)
  if remembered then put(F, remembered, start) end
end
local function leave(p)
  leaveAt(p.evaluations, p.leaf)
  if call('EXISTS', ready(p.evaluations)) == 1 then return end
  call('HDEL', V, p.evaluations)
  leaveAt(p.divisions, p.division)
  if call('EXISTS', ready(p.divisions)) == 1 then return end
  leaveAt(p.flows, p.flow, p.divisions)
  if p.level ~= 'exempt' and call('EXISTS', ready(p.flows)) == 0 then leaveAt('', p.level, p.level) end
end

local function corrected(node, from, by)
  local v = number(V, node)
  if by < 0 then return math.max(from + by, math.min(from, v)) end
  return math.min(from + by, math.max(from, v + ${DEBT_CAP_MS}))
end
local function correctAt(node, name, delta, weight, remembered)
  local start = tag(node, name)
  if start then call('ZADD', ready(node), exact(corrected(node, start, delta / weight)), name)
  elseif remembered then put(F, remembered, corrected(node, number(F, remembered), delta / weight)) end
end

local function chunkCost(itemMs, items, bytes)
  return math.min(math.max(items * itemMs + bytes * ${MS_PER_BYTE}, ${LEAST_COST_MS}), ${GREATEST_COST_MS})
end
local function learnedPrice(itemMs, items, bytes, judgedMs)
  local measured = math.max(judgedMs - bytes * ${MS_PER_BYTE}, 0) / math.max(items, 1)
  local sample = math.min(measured, math.max(itemMs * ${SAMPLE_GROWTH}, ${LEAST_SAMPLE_CAP_MS}))
  return itemMs + (sample - itemMs) * ${LEARNING_RATE} * math.min(items / ${SAMPLE_ITEMS}, 1)
end

local function count(key, p, by)
  for _, field in ipairs({ '', p.flows, p.divisions }) do call('HINCRBY', key, field, by) end
end

-- Whether an evaluation can still take and give chunks.
local function living(id)
  local state = call('HMGET', evaluationKey(id), 'record', 'cancelled', 'failed')
  return state[1] and not state[2] and not state[3]
end
-- Puts a chunk into the line: behind its evaluation's others, or before them when it comes back.
local CLAIMS = P .. ':claims'
local PRIORITIZED = P .. ':bull:chunks:prioritized'
local function queue(p, id, chunk, first, items, bytes, back)
  call(back and 'LPUSH' or 'RPUSH', waitingKey(id), table.concat({ chunk, first, items, bytes, nowMs() }, '|'))
  count(CHUNKS, p, 1)
  count(BYTES, p, bytes)
  arrive(p)
end
-- Takes an evaluation that is over off the queue, once; what waits of it is dropped in one step. False when it was off already, else
-- 'attached' when a client waits for it, 'detached' when nobody does.
local function over(id)
  local text = call('HGET', P .. ':living', id)
  if not text then return false end
  local p = placeOf(text)
  call('HDEL', P .. ':living', id)
  count(EVALUATIONS, p, -1)
  for _, ref in ipairs(call('LRANGE', waitingKey(id), 0, -1)) do
    count(CHUNKS, p, -1)
    count(BYTES, p, -tonumber(string.match(ref, '^%d+|%d+|%d+|(%d+)|')))
  end
  leave(p)
  call('DEL', waitingKey(id))
  return call('HDEL', P .. ':attended', id) == 1 and 'attached' or 'detached'
end

-- A claim as text: chunk|first|items|bytes|cost|token|place, by job id.
local function claimOf(job)
  local text = call('HGET', CLAIMS, job)
  if not text then return nil end
  local chunk, first, items, bytes, cost, token, place = string.match(text, '^(%d+)|(%d+)|(%d+)|(%d+)|([^|]+)|([^|]*)|(.*)$')
  local p = placeOf(place)
  return { chunk = chunk, first = first, items = tonumber(items), bytes = tonumber(bytes), cost = tonumber(cost), token = token, place = p,
    id = string.sub(p.leaf, 14) }
end
local function putClaim(job, c)
  call('HSET', CLAIMS, job, table.concat({ c.chunk, c.first, c.items, c.bytes, exact(c.cost), c.token, c.place.text }, '|'))
end
-- Charges a chunk that is chosen.
local function charge(p, id, job, ref)
  local chunk, first, items, bytes, queuedAt = string.match(ref, '^(%d+)|(%d+)|(%d+)|(%d+)|(%d+)$')
  count(CHUNKS, p, -1)
  count(BYTES, p, -bytes)
  local cost = chunkCost(number(evaluationKey(id), 'itemMs'), tonumber(items), tonumber(bytes))
  serve(p, cost, call('EXISTS', waitingKey(id)) == 1)
  for _, path in ipairs({ p.flows, p.divisions }) do call('HINCRBY', RUN, path, 1) end
  call('HINCRBY', evaluationKey(id), 'claimed', 1)
  putClaim(job, { chunk = chunk, first = first, items = items, bytes = bytes, cost = cost, token = '', place = p })
  return queuedAt
end
local function vacate(job, c, spentMs, judgedMs)
  call('HDEL', CLAIMS, job)
  local p, id = c.place, c.id
  for _, path in ipairs({ p.flows, p.divisions }) do call('HINCRBY', RUN, path, -1) end
  local known = call('EXISTS', evaluationKey(id)) == 1
  if known then call('HINCRBY', evaluationKey(id), 'claimed', -1) end
  if judgedMs and known and call('HEXISTS', P .. ':living', id) == 1 then
    local itemMs = learnedPrice(number(evaluationKey(id), 'itemMs'), c.items, c.bytes, judgedMs)
    put(evaluationKey(id), 'itemMs', itemMs)
    local digest = call('HGET', evaluationKey(id), 'definition')
    if digest then call('SET', P .. ':price:' .. digest, exact(itemMs), 'PX', 86400000) end
  end
  if not spentMs then return end
  local delta = spentMs - c.cost
  correctAt(p.evaluations, p.leaf, delta, 1)
  correctAt(p.divisions, p.division, delta, 1)
  correctAt(p.flows, p.flow, delta, p.weight, p.divisions)
  if p.level ~= 'exempt' then correctAt('', p.level, delta, LEVEL_WEIGHT[p.level], p.level) end
end
`;
