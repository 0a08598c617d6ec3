// Made by `npm run tool -- lua` from the .lua files of this folder; change those.
import type { AddedJob, ConsumerArguments, LuaCommand, PartArguments, ResultArguments, StartArguments, TokenRequest } from './command.ts';

const KEYS = `
local call = redis.call
local args = cmsgpack.unpack(ARGV[1])
local PREFIX = KEYS[1]

--- Hashes by flow (line/name), line and '' (all evaluations): jobs that live; parts that have no result, and their bytes; bytes of stored results.
local JOBS, PARTS, BYTES = PREFIX .. ':load:jobs', PREFIX .. ':load:parts', PREFIX .. ':load:bytes'
local RESULT_BYTES = PREFIX .. ':load:results'
--- Hash: job -> the flow that its results are charged to, and how many bytes (MessagePack); sorted set: jobs that are over, by the time at which their results expire.
local CHARGES, CHARGED_UNTIL = PREFIX .. ':charges', PREFIX .. ':charged'
--- Hash: living job -> its flow, known even where the job's own keys were lost.
local LIVING = PREFIX .. ':living'
--- Sorted set: jobs that are to be added to BullMQ, by the time (epoch ms of the server's clock) at which a process was last told so.
local NAMED = PREFIX .. ':line:named'
--- Sorted set: consumers by the time at which they count as gone; hashes: the seats of each, and those that other work leaves to it.
local CONSUMERS, SEATS, FREE_SEATS = PREFIX .. ':consumers', PREFIX .. ':seats', PREFIX .. ':free'
--- Hash: job -> how it ended (lost, cancelled), where its end is not yet told to any process.
local ENDED = PREFIX .. ':ended'
--- Sorted set: processes that take tokens of shared rates, by the time at which they count as gone.
local TOKEN_TAKERS = PREFIX .. ':tokens'
--- Channels: jobs whose progress changed, jobs whose work is to be stopped, lines that get jobs.
local CHANGES, CANCELLATIONS, LINES = PREFIX .. ':changes', PREFIX .. ':cancellations', PREFIX .. ':lines'

--- The number of the form of all this (\`stored-form.ts\`), for processes of other releases; never expires.
local FORM = PREFIX .. ':format'

--- Hash: state, flow, record, note, born, total, done, bytes, next, deadline, steppedAt, sealedAt, allBytes, flowBytes, allResults, flowResults, retention, definition, fence, starter, starts, unrewarded, celSpent, finisher, n:* and p:* (tally).
local function jobKey(id) return PREFIX .. ':ev:' .. id end
--- Hashes by part: the packed items, the packed results.
local function bodiesKey(id) return PREFIX .. ':body:' .. id end
local function resultsKey(id) return PREFIX .. ':res:' .. id end
--- List: sealed jobs of a flow that wait until BullMQ gets them, the next first; set: jobs of the flow that stand in BullMQ.
local function waitingKey(flow) return PREFIX .. ':line:wait:' .. flow end
local function standingKey(flow) return PREFIX .. ':line:stand:' .. flow end
--- Ends that a heartbeat told, in case its reply was lost (MessagePack).
local function toldKey(nonce) return PREFIX .. ':told:' .. nonce end
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
local TOLD_MS = 60000
local CHARGES_A_CALL = 1000
local SMALL_RESULT_BYTES = 4194304
local LEAST_RETENTION_MS = 300000
local REDIS_FORM = 6
local INDEX_SPARE_MS = 86400000
local JOBS_OF_FLOW = 2
local STUDIES_OF_FLOW = 1
local STUDY_LINE = 'study'
local LINE_NAMES = { 'exempt', 'high', 'normal', 'low', 'study' }
-- The transition that an event takes in a state, from JOB_LIFE (jobs/job-life.ts).
local function transitionOf(state, event, facts)
  if state == 'unknown' then
    if event == 'add' then return { on = 'add', to = 'receiving', answer = 'accepted', effects = { 'open' } } end
    if event == 'append' then return { on = 'append', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'store' then return { on = 'store', to = 'unknown', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'unknown', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'wake' } } end
  end
  if state == 'receiving' then
    if event == 'add' then return { on = 'add', to = 'receiving', answer = 'exists', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'cancelled', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'failed', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'close', 'erase', 'stop', 'wake' } } end
    if event == 'append' and facts.resent then return { on = 'append', to = 'receiving', answer = 'added', effects = {  } } end
    if event == 'append' then return { on = 'append', to = 'receiving', answer = 'added', effects = { 'keep' } } end
    if event == 'seal' and facts.last then return { on = 'seal', to = 'complete', answer = 'sealed', effects = { 'close', 'wake', 'end' } } end
    if event == 'seal' then return { on = 'seal', to = 'running', answer = 'sealed', effects = { 'line', 'wake' } } end
    if event == 'begin' then return { on = 'begin', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'receiving', answer = 'gone', effects = {  } } end
    if event == 'store' then return { on = 'store', to = 'receiving', answer = 'gone', effects = {  } } end
  end
  if state == 'running' then
    if event == 'add' then return { on = 'add', to = 'running', answer = 'exists', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'cancelled', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'failed', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'close', 'erase', 'stop', 'wake' } } end
    if event == 'append' then return { on = 'append', to = 'running', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'running', answer = 'sealed', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'running', answer = 'begun', effects = { 'fence' } } end
    if event == 'hold' and facts.superseded then return { on = 'hold', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'running', answer = 'held', effects = {  } } end
    if event == 'note' and facts.superseded then return { on = 'note', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'running', answer = 'noted', effects = { 'note', 'wake' } } end
    if event == 'store' and facts.judged then return { on = 'store', to = 'running', answer = 'duplicate', effects = {  } } end
    if event == 'store' and facts.superseded then return { on = 'store', to = 'running', answer = 'gone', effects = {  } } end
    if event == 'store' and facts.overfull then return { on = 'store', to = 'tooLarge', answer = 'tooLarge', effects = { 'close', 'stop', 'wake', 'end' } } end
    if event == 'store' and facts.last then return { on = 'store', to = 'complete', answer = 'stored', effects = { 'store', 'close', 'wake', 'end' } } end
    if event == 'store' then return { on = 'store', to = 'running', answer = 'stored', effects = { 'store', 'wake' } } end
  end
  if state == 'complete' then
    if event == 'add' then return { on = 'add', to = 'complete', answer = 'exists', effects = {  } } end
    if event == 'append' then return { on = 'append', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'complete', answer = 'sealed', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'complete', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'complete', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'store' and facts.judged then return { on = 'store', to = 'complete', answer = 'duplicate', effects = {  } } end
    if event == 'store' then return { on = 'store', to = 'complete', answer = 'gone', effects = {  } } end
  end
  if state == 'cancelled' then
    if event == 'add' then return { on = 'add', to = 'cancelled', answer = 'exists', effects = {  } } end
    if event == 'append' then return { on = 'append', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'cancelled', answer = 'sealed', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'note' and facts.superseded then return { on = 'note', to = 'cancelled', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'cancelled', answer = 'noted', effects = { 'note', 'wake' } } end
    if event == 'cancel' then return { on = 'cancel', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'cancelled', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'store' then return { on = 'store', to = 'cancelled', answer = 'gone', effects = {  } } end
  end
  if state == 'failed' then
    if event == 'add' then return { on = 'add', to = 'failed', answer = 'exists', effects = {  } } end
    if event == 'append' then return { on = 'append', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'failed', answer = 'sealed', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'failed', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'failed', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'store' then return { on = 'store', to = 'failed', answer = 'gone', effects = {  } } end
  end
  if state == 'tooLarge' then
    if event == 'add' then return { on = 'add', to = 'tooLarge', answer = 'exists', effects = {  } } end
    if event == 'append' then return { on = 'append', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'seal' then return { on = 'seal', to = 'tooLarge', answer = 'sealed', effects = {  } } end
    if event == 'begin' then return { on = 'begin', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'hold' then return { on = 'hold', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'note' then return { on = 'note', to = 'tooLarge', answer = 'gone', effects = {  } } end
    if event == 'cancel' then return { on = 'cancel', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'lose' then return { on = 'lose', to = 'tooLarge', answer = 'over', effects = {  } } end
    if event == 'forget' then return { on = 'forget', to = 'unknown', answer = 'forgotten', effects = { 'erase', 'wake' } } end
    if event == 'store' then return { on = 'store', to = 'tooLarge', answer = 'gone', effects = {  } } end
  end
  error('the life of a job has no ' .. event .. ' in the state ' .. state)
end
`;

const LINE = `
--- The types of BullMQ's keys for one queue, without those of single jobs.
local BULL_TYPES = {
  wait = 'list', paused = 'list', active = 'list', marker = 'zset', delayed = 'zset', prioritized = 'zset', completed = 'zset', failed = 'zset',
  meta = 'hash', stalled = 'set', events = 'stream', id = 'string', pc = 'string', limiter = 'string', ['stalled-check'] = 'string',
}
--- The types of the keys that all jobs share, by name after the prefix.
local SHARED_TYPES = {
  ['load:jobs'] = 'hash', ['load:parts'] = 'hash', ['load:bytes'] = 'hash', ['load:results'] = 'hash', charges = 'hash', charged = 'zset',
  living = 'hash', ['line:named'] = 'zset', ['index:evaluation'] = 'zset', ['index:study'] = 'zset', consumers = 'zset', seats = 'hash', free = 'hash', ended = 'hash', tokens = 'zset',
}
--- The flow of a job; nil if the job is unknown.
local function flowOf(id) return call('HGET', jobKey(id), 'flow') or call('HGET', LIVING, id) or nil end
local function lineOf(flow) return string.match(flow, '^[^/]*') end
--- Sorted set: jobs of the kind of a flow's jobs, by the time at which they were added.
local function indexKey(flow) return PREFIX .. ':index:' .. (lineOf(flow) == STUDY_LINE and 'study' or 'evaluation') end
--- A key of BullMQ's queue for a line; the name of a job is the name of its key.
local function bullKey(line, name) return PREFIX .. ':bull:jobs-' .. line .. ':' .. name end
--- Whether a key has a value of another type.
local function isOther(kind, name)
  local held = call('TYPE', name).ok
  return held ~= 'none' and held ~= kind
end

--- Adds to a count of all evaluations, of the line and of the flow.
local function count(key, flow, by)
  if by == 0 then return end
  local line = lineOf(flow)
  if line ~= STUDY_LINE then call('HINCRBY', key, '', exact(by)) end
  for _, field in ipairs({ line, flow }) do call('HINCRBY', key, field, exact(by)) end
end

--- What this call tells its process to add to BullMQ: id, flow, parts, bytes and definition of each job.
local named = {}
local function name(id, flow)
  call('ZADD', NAMED, exact(nowMs()), id)
  local fields = call('HMGET', jobKey(id), 'total', 'bytes', 'definition')
  for _, word in ipairs({ id, flow, fields[1] or '0', fields[2] or '0', fields[3] or '' }) do table.insert(named, word) end
  call('PUBLISH', LINES, lineOf(flow))
end
--- The places of a flow that are free go to its next jobs.
local function nameNext(flow)
  while call('SCARD', standingKey(flow)) < (lineOf(flow) == STUDY_LINE and STUDIES_OF_FLOW or JOBS_OF_FLOW) do
    local id = call('LPOP', waitingKey(flow))
    if not id then return end
    if call('HGET', jobKey(id), 'state') == 'running' then
      call('SADD', standingKey(flow), id)
      name(id, flow)
    end
  end
end
--- The line of a flow outlives each of its jobs, and no longer than needed.
local function keepLine(flow, retentionMs)
  for _, key in ipairs({ waitingKey(flow), standingKey(flow) }) do
    local ms = 2 * retentionMs
    if ms > math.max(0, call('PTTL', key)) then call('PEXPIRE', key, exact(ms)) end
  end
end
local function joinLine(id, flow)
  call('RPUSH', waitingKey(flow), id)
  nameNext(flow)
  keepLine(flow, number(jobKey(id), 'retention'))
end
local function leaveLine(id, flow)
  call('ZREM', NAMED, id)
  if call('SREM', standingKey(flow), id) == 0 then call('LREM', waitingKey(flow), 0, id) end
  nameNext(flow)
  keepLine(flow, number(jobKey(id), 'retention'))
end
--- Appends what is named to an answer.
local function withNamed(answer)
  for _, word in ipairs(named) do table.insert(answer, word) end
  return answer
end
`;

const LIFE = `
local function stateOf(id) return call('HGET', jobKey(id), 'state') or 'unknown' end
--- How many parts of a job have no result, and their bytes.
local function waitingOf(id)
  local fields = call('HMGET', jobKey(id), 'total', 'done', 'bytes')
  return tonumber(fields[1] or '0') - tonumber(fields[2] or '0'), tonumber(fields[3] or '0')
end
local function countWaiting(flow, parts, bytes)
  count(PARTS, flow, parts)
  count(BYTES, flow, bytes)
end

local function charge(id, flow, bytes)
  local packed = call('HGET', CHARGES, id)
  local charged = packed and cmsgpack.unpack(packed) or { bytes = 0, flow = flow }
  charged.bytes = charged.bytes + bytes
  call('HSET', CHARGES, id, cmsgpack.pack(charged))
  count(RESULT_BYTES, flow, bytes)
end
local function discharge(id)
  local packed = call('HGET', CHARGES, id)
  if packed then
    local charged = cmsgpack.unpack(packed)
    count(RESULT_BYTES, charged.flow, -charged.bytes)
    call('HDEL', CHARGES, id)
    if call('EXISTS', jobKey(id)) == 0 then call('ZREM', indexKey(charged.flow), id) end
  end
  call('ZREM', CHARGED_UNTIL, id)
end
--- How long results of so many bytes are kept after the end, ms: \`retentionOf\` of \`retention.ts\`.
local function retentionOf(bytes, retentionMs)
  local share = math.min(1, SMALL_RESULT_BYTES / math.max(bytes, 1))
  return math.max(math.floor(retentionMs * share), math.min(retentionMs, LEAST_RETENTION_MS))
end
--- A job is over: from now on its results expire, the sooner the larger they are.
local function expireResults(id)
  local packed = call('HGET', CHARGES, id)
  local bytes = packed and cmsgpack.unpack(packed).bytes or 0
  local ms = retentionOf(bytes, number(jobKey(id), 'retention'))
  for _, name in ipairs({ jobKey(id), resultsKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  if packed then call('ZADD', CHARGED_UNTIL, exact(nowMs() + ms), id) end
end

--- What each effect of a transition does. \`subject\` has what the event is about; \`by\` names the call that is told how it ended the job: without it
--- a heartbeat tells.
local effects = {
  open = function(_, subject) subject.open() end,
  keep = function(_, subject) subject.keep() end,
  line = function(id)
    put(jobKey(id), 'sealedAt', nowMs())
    joinLine(id, flowOf(id))
  end,
  fence = function(_, subject) subject.fence() end,
  store = function(_, subject) subject.store() end,
  note = function(_, subject) subject.note() end,
  close = function(id)
    local flow = flowOf(id)
    local parts, bytes = waitingOf(id)
    call('HDEL', LIVING, id)
    count(JOBS, flow, -1)
    countWaiting(flow, -parts, -bytes)
    call('DEL', bodiesKey(id))
    leaveLine(id, flow)
    expireResults(id)
  end,
  erase = function(id)
    local flow = flowOf(id)
    if flow then call('ZREM', indexKey(flow), id) end
    call('DEL', jobKey(id), bodiesKey(id), resultsKey(id))
    discharge(id)
  end,
  wake = function(id) call('PUBLISH', CHANGES, id) end,
  stop = function(id) call('PUBLISH', CANCELLATIONS, id) end,
  ['end'] = function(id, subject, state)
    if subject.by then
      call('HSET', jobKey(id), 'finisher', subject.by)
    else
      call('HSET', ENDED, id, state == 'failed' and 'lost' or state)
    end
  end,
}

--- Carries a transition out: the state, the effects.
local function carryOut(id, state, transition, subject)
  if transition.to ~= state and transition.to ~= 'unknown' then call('HSET', jobKey(id), 'state', transition.to) end
  for _, effect in ipairs(transition.effects) do effects[effect](id, subject, transition.to) end
  return transition.answer
end
--- Lets an event happen to a job.
local function happen(id, event, facts, subject)
  local state = stateOf(id)
  return carryOut(id, state, transitionOf(state, event, facts or {}), subject or {})
end
--- A living job has lost some of its keys, even its own state perhaps; what is not there is not made anew.
local function lose(id)
  local known = call('EXISTS', jobKey(id)) == 1
  carryOut(id, known and 'running' or 'failed', transitionOf('running', 'lose', {}), {})
end
--- An answer, how the job ended where this call, or the one that it repeats, ended it, and what is named.
local function reply(id, answer, by)
  return withNamed({ answer, call('HGET', jobKey(id), 'finisher') == by and stateOf(id) or '' })
end

--- What was lost took part of the counts along: they are made anew.
local function recount()
  call('DEL', JOBS, PARTS, BYTES, RESULT_BYTES)
  for _, id in ipairs(call('HKEYS', LIVING)) do
    local flow = call('HGET', LIVING, id)
    count(JOBS, flow, 1)
    countWaiting(flow, waitingOf(id))
  end
  for _, id in ipairs(call('HKEYS', CHARGES)) do
    local charged = cmsgpack.unpack(call('HGET', CHARGES, id))
    count(RESULT_BYTES, charged.flow, charged.bytes)
    if call('EXISTS', resultsKey(id)) == 0 then discharge(id) end
  end
end
`;

/** Arguments of the script {@link ADD}. The script performs one step of the submission of a job. */
export interface AddArguments {
  /** Id of the job. */
  readonly id: string;
  /** Record, flow, times and limits of the job; undefined if it was added in an earlier step. */
  readonly job: AddedJob | undefined;
  /** Parts of this step, in order. A part that is sent again is recognized by its first item. */
  readonly parts: readonly PartArguments[];
  /** Lifetime of the parts' keys, in ms. */
  readonly ttlMs: number;
  /** True if no more parts will follow. */
  readonly isWhole: boolean;
}

/**
 * Performs one step of the submission of a job. The first step adds the job, each step appends parts, and the last step seals the job. If the first step is refused, nothing is stored.
 *
 * Reason for an atomic script: a repeated part is counted once. The parts are stored only if the counts of the flow, read in the same step, leave room.
 *
 * Returns {answer, end, named…}. `answer` is `accepted` if the job was added, `added` if only parts were added, or the name of the limit that refuses the step. It is `exists` if a job with this id is already stored, and `over` if the job takes no more parts. `end` is `complete` if the job has no parts, and empty otherwise. `named` are jobs that this process must add to BullMQ, each with flow, parts, bytes and definition. A retry of the call returns the same answer and end.
 */
export const ADD: LuaCommand<AddArguments> = {
  name: 'add',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local id, key = args.id, jobKey(args.id)

--- Why no further job of a flow is accepted; nil when it is.
local function refusesJob(flow, limits)
  if number(BYTES, '') >= limits.bytes then return 'bytes' end
  if number(RESULT_BYTES, '') >= limits.results then return 'results' end
  if lineOf(flow) == 'exempt' then return nil end
  if number(JOBS, '') >= limits.jobs then return 'evaluations' end
  if number(JOBS, flow) >= limits.flowJobs then return 'flow-evaluations' end
  if number(PARTS, flow) >= limits.flowParts then return 'flow-chunks' end
  if number(BYTES, flow) >= limits.flowBytes then return 'flow-bytes' end
  return number(RESULT_BYTES, flow) >= limits.flowResults and 'flow-results' or nil
end
--- Why a part is not taken; nil when it is. A flow, or queue, that holds nothing takes a part of any size.
local function refusesPart(flow, bytes)
  local all, flowBytes = unpack(call('HMGET', key, 'allBytes', 'flowBytes'))
  local held, flowHeld = number(BYTES, ''), number(BYTES, flow)
  if held > 0 and held + bytes > tonumber(all) then return 'bytes' end
  return lineOf(flow) ~= 'exempt' and flowHeld > 0 and flowHeld + bytes > tonumber(flowBytes) and 'flow-bytes' or nil
end

local function add(job)
  local limits = job.limits
  local refusal = stateOf(id) == 'unknown' and refusesJob(job.flow, limits)
  if refusal then return refusal end
  local function open()
    call('HSET', key, 'flow', job.flow, 'record', job.record, 'born', job.born, 'fence', job.born, 'total', 0, 'done', 0, 'bytes', 0, 'next', 0)
    call('HSET', key, 'deadline', exact(nowMs() + job.leftMs), 'allBytes', exact(limits.bytes), 'flowBytes', exact(limits.flowBytes))
    call('HSET', key, 'allResults', exact(limits.results), 'flowResults', exact(limits.flowResults), 'retention', exact(job.retentionMs))
    if job.definition then call('HSET', key, 'definition', job.definition) end
    call('PEXPIRE', key, exact(job.ttlMs))
    local index, kept = indexKey(job.flow), job.ttlMs + INDEX_SPARE_MS
    call('ZADD', index, exact(nowMs()), id)
    -- Jobs that expired without a result are still there.
    call('ZREMRANGEBYSCORE', index, '-inf', exact(nowMs() - kept))
    call('PEXPIRE', index, exact(math.max(kept, call('PTTL', index))))
    call('SET', FORM, REDIS_FORM, 'NX')
    call('HSET', LIVING, id, job.flow)
    count(JOBS, job.flow, 1)
  end
  return happen(id, 'add', {}, { open = open })
end

--- Appends a part. -> added, over, or a refusal
local function append(part)
  local flow = flowOf(id)
  local resent = part.firstItem < number(key, 'next')
  local refusal = stateOf(id) == 'receiving' and not resent and refusesPart(flow, part.bytes)
  if refusal then return refusal end
  local function keep()
    call('HSET', bodiesKey(id), call('HINCRBY', key, 'total', 1) - 1, part.body)
    call('HINCRBY', key, 'bytes', exact(part.bytes))
    put(key, 'next', part.firstItem + part.items)
    countWaiting(flow, 1, part.bytes)
    local ms = math.max(args.ttlMs, call('PTTL', key))
    for _, name in ipairs({ key, bodiesKey(id) }) do call('PEXPIRE', name, exact(ms)) end
  end
  return happen(id, 'append', { resent = resent }, { keep = keep })
end

local answer = 'added'
if args.job then
  -- The same call was performed before, and its reply was lost.
  if call('HGET', key, 'born') == args.job.born then return reply(id, 'accepted', 'seal') end
  answer = add(args.job)
  if answer ~= 'accepted' then return { answer, '' } end
end
for _, part in ipairs(args.parts) do
  local added = append(part)
  if added ~= 'added' then
    if args.job then happen(id, 'forget') end
    return withNamed({ added, '' })
  end
end
if not args.isWhole and stateOf(id) == 'receiving' then put(key, 'steppedAt', nowMs()) end
if args.isWhole and happen(id, 'seal', { last = number(key, 'total') == 0 }, { by = 'seal' }) ~= 'sealed' then answer = 'over' end
return reply(id, answer, 'seal')
`].join('\n'),
};

/** Arguments of the script {@link BEGIN}. The script begins a job: a process performs it from now on, and earlier starts of the job can store no more results. */
export interface BeginArguments {
  /** Id of the job. */
  readonly id: string;
  /** Random text that only this call and its repetitions use. */
  readonly nonce: string;
}

/**
 * Begins a job: a process performs it from now on, and earlier starts of the job can store no more results.
 *
 * Reason for an atomic script: no earlier start stores a result after the parts that have a result were read.
 *
 * Returns {record, numbers, done}, or nil if the job is unknown, not yet received, or over. `numbers` are fence, starts, starts since the last stored result, parts, spent CEL cost, ms until the deadline, and ms since the job was sealed. `done` are the indexes of the parts that have a result.
 */
export const BEGIN: LuaCommand<BeginArguments> = {
  name: 'begin',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
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
`].join('\n'),
};

/** Arguments of the script {@link END}. The script ends a job early, or deletes it with everything that is stored for it. */
export interface EndArguments {
  /** Id of the job. */
  readonly id: string;
  /** Event that happens to the job. */
  readonly event: 'cancel' | 'lose' | 'forget';
  /** Random text that only this call and its repetitions use. */
  readonly nonce: string;
}

/**
 * Ends a job early, or deletes it with everything that is stored for it.
 *
 * Reason for an atomic script: a job ends only once, because its state is read and changed in one step.
 *
 * Returns {answer, end, line, named…}. `answer` is `cancelled`, `failed` or `forgotten`, or `over` if the job is unknown or has already ended. `end` is `cancelled` or `failed` if this call ended the job, and empty otherwise. `line` is the line of the job, empty if the job is unknown. `named` are jobs that this process must add to BullMQ. A retry of the call returns the same end.
 */
export const END: LuaCommand<EndArguments> = {
  name: 'end',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local flow = flowOf(args.id)
local answer = reply(args.id, happen(args.id, args.event, {}, { by = args.nonce }), args.nonce)
table.insert(answer, 3, flow and lineOf(flow) or '')
return answer
`].join('\n'),
};

/** Arguments of the script {@link HEARTBEAT}. The script registers the consumers of a process for a time, and removes consumers whose registration has expired. */
export interface HeartbeatArguments {
  /** Consumers of the process. */
  readonly consumers: readonly ConsumerArguments[];
  /** Time in ms after the last repair within which this process does not repair; at most 60000. If the time is 0, it neither repairs nor names jobs. */
  readonly periodMs: number;
  /** Time in ms after its deadline at which a job is cancelled. */
  readonly graceMs: number;
  /** Time in ms after a step of its submission at which a job that is not whole is cancelled. */
  readonly stepMs: number;
  /** Random text that only this call and its repetitions use. */
  readonly nonce: string;
}

/**
 * Registers the consumers of a process for a time, and removes consumers whose registration has expired. Only one process per period also repairs the stored state. This process first discharges expired results. For each living job, the first applicable rule is used. Rule 1. The job fails if its record or a part without a result is lost. Rule 2. The job is cancelled if its deadline passed more than `graceMs` ago. By then, no process works on it. Rule 3. The job is cancelled if the last step of its submission was more than `stepMs` ago. By then, its submitter has failed. Rule 4. If the job stands neither in the line of its flow nor in BullMQ, it is put there again.
 *
 * Reason for an atomic script: all compared data come from the same moment, and each end is reported to only one process.
 *
 * Returns {living, did, ends, named, lines, seats}. `living` is the number of jobs that have not ended. `did` is `repaired`, or empty. `ends` are jobs that ended without a reply to another command, each with its end (`lost` or `cancelled`). One call and its repetitions return them. `named` are jobs that this process must add to BullMQ. `lines` are the lines that have living jobs in BullMQ. `seats` are all consumers, each with its seats and its free seats.
 */
export const HEARTBEAT: LuaCommand<HeartbeatArguments> = {
  name: 'heartbeat',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local REMEMBERED_MS, UNADDED_MS = 60000, 1000
local now = nowMs()

local isIdle = call('HLEN', LIVING) == 0
for _, consumer in ipairs(args.consumers) do
  if consumer.ms == 0 then
    call('ZREM', CONSUMERS, consumer.name)
  else
    call('SET', FORM, REDIS_FORM, 'NX')
    call('ZADD', CONSUMERS, exact(now + (isIdle and consumer.idleMs or consumer.ms)), consumer.name)
    call('HSET', SEATS, consumer.name, exact(consumer.seats))
    call('HSET', FREE_SEATS, consumer.name, exact(consumer.free))
  end
end
--- A hash, or a sorted set with scores, as a table.
local function tableOf(flat)
  local entries = {}
  for i = 1, #flat, 2 do entries[flat[i]] = flat[i + 1] end
  return entries
end
local registered, free = tableOf(call('ZRANGE', CONSUMERS, 0, -1, 'WITHSCORES')), tableOf(call('HGETALL', FREE_SEATS))
local seats = {}
for consumer, its in pairs(tableOf(call('HGETALL', SEATS))) do
  if tonumber(registered[consumer] or 0) <= now then
    call('ZREM', CONSUMERS, consumer)
    call('HDEL', SEATS, consumer)
    call('HDEL', FREE_SEATS, consumer)
  else
    for _, word in ipairs({ consumer, its, free[consumer] or '0' }) do table.insert(seats, word) end
  end
end

--- Fails if other software changed the type of a key, so that the caller repairs it.
local function check(types, keyOf)
  for name, kind in pairs(types) do
    if isOther(kind, keyOf(name)) then error('WRONGTYPE ' .. keyOf(name) .. ' is no ' .. kind) end
  end
end
--- The jobs that wait or run in BullMQ's queue for a line.
local inBull = {}
local function bullJobs(line)
  if not inBull[line] then
    check(BULL_TYPES, function(name) return bullKey(line, name) end)
    -- Without an end, the key would stop BullMQ's search for jobs of dead processes.
    if call('PTTL', bullKey(line, 'stalled-check')) == -1 then call('DEL', bullKey(line, 'stalled-check')) end
    inBull[line] = {}
    for _, list in ipairs({ 'wait', 'active' }) do
      for _, id in ipairs(call('LRANGE', bullKey(line, list), 0, -1)) do inBull[line][id] = true end
    end
  end
  return inBull[line]
end
--- Whether BullMQ has a job, with content that is ours.
local function isInBull(line, id)
  local fields = call('HMGET', bullKey(line, id), 'data', 'opts')
  return bullJobs(line)[id] and string.sub(fields[1] or '', 1, 1) == '{' and string.sub(fields[2] or '', 1, 1) == '{'
end
--- Mends the line of a flow. \`running\` has its jobs that run.
local function mendLine(flow, running)
  local line, known = lineOf(flow), {}
  for _, id in ipairs(call('SMEMBERS', standingKey(flow))) do
    known[id] = true
    if not running[id] then
      call('SREM', standingKey(flow), id)
    elseif not call('ZSCORE', NAMED, id) and not isInBull(line, id) then
      call('DEL', bullKey(line, id))
      for _, list in ipairs({ 'wait', 'active' }) do call('LREM', bullKey(line, list), 0, id) end
      name(id, flow)
    end
  end
  for _, id in ipairs(call('LRANGE', waitingKey(flow), 0, -1)) do known[id] = true end
  for id in pairs(running) do
    if not known[id] then joinLine(id, flow) end
  end
  nameNext(flow)
end

local function isLost(id, record, total, state)
  if not record or (state ~= 'receiving' and state ~= 'running') then return true end
  local judged = call('HLEN', resultsKey(id))
  return call('HLEN', bodiesKey(id)) + judged < tonumber(total) or (state == 'running' and judged >= tonumber(total))
end
local function repairState()
  check(SHARED_TYPES, function(name) return PREFIX .. ':' .. name end)
  for _, id in ipairs(call('ZRANGE', CHARGED_UNTIL, '-inf', exact(now), 'BYSCORE', 'LIMIT', 0, CHARGES_A_CALL)) do discharge(id) end
  local found, flows = 0, {}
  local living = call('HGETALL', LIVING)
  for i = 1, #living, 2 do
    local id, flow = living[i], living[i + 1]
    local record, total, deadline, state, steppedAt = unpack(call('HMGET', jobKey(id), 'record', 'total', 'deadline', 'state', 'steppedAt'))
    if isLost(id, record, total, state) then
      lose(id)
      found = found + 1
    elseif tonumber(deadline) + args.graceMs < now or (state == 'receiving' and tonumber(steppedAt or now) + args.stepMs < now) then
      happen(id, 'cancel')
      found = found + 1
    elseif state == 'running' then
      flows[flow] = flows[flow] or {}
      flows[flow][id] = true
    end
  end
  for flow, running in pairs(flows) do mendLine(flow, running) end
  if found > 0 then recount() end
end

local told = call('GET', toldKey(args.nonce))
-- The key's remaining life says how long ago a process repaired. Idle processes have a longer period than busy ones.
local left = call('PTTL', PREFIX .. ':repairing')
local repairs = not told and args.periodMs > 0 and (left < 0 or REMEMBERED_MS - left >= args.periodMs)
if repairs then
  call('SET', PREFIX .. ':repairing', 1, 'PX', exact(REMEMBERED_MS))
  repairState()
end
local ends = told and cmsgpack.unpack(told) or repairs and call('HGETALL', ENDED) or {}
if repairs and #ends > 0 then
  call('DEL', ENDED)
  call('SET', toldKey(args.nonce), cmsgpack.pack(ends), 'PX', exact(TOLD_MS))
end

-- A process that was told to add a job to BullMQ may have died before.
for _, id in ipairs(args.periodMs > 0 and call('ZRANGE', NAMED, '-inf', exact(now - UNADDED_MS), 'BYSCORE') or {}) do
  if stateOf(id) == 'running' then name(id, flowOf(id)) else call('ZREM', NAMED, id) end
end
local lines = {}
for _, line in ipairs(isIdle and {} or LINE_NAMES) do
  if call('EXISTS', bullKey(line, 'wait'), bullKey(line, 'active')) > 0 then table.insert(lines, line) end
end
return { call('HLEN', LIVING), repairs and 'repaired' or '', ends, named, lines, seats }
`].join('\n'),
};

/** Arguments of the script {@link HELD}. The script tells which starts of jobs may still store results, and stores their notes. */
export interface HeldArguments {
  /** Starts of jobs, some with a note. */
  readonly starts: readonly StartArguments[];
}

/**
 * Tells which starts of jobs may still store results, and stores their notes.
 *
 * Reason for an atomic script: state and fence of a job are of the same moment.
 *
 * Returns for each start 1 if its job runs and has not begun again, and 0 otherwise. For a start with a note, 1 if the note was stored.
 */
export const HELD: LuaCommand<HeldArguments> = {
  name: 'held',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local answers = {}
for i, start in ipairs(args.starts) do
  local key = jobKey(start.id)
  local superseded = tonumber(call('HGET', key, 'fence') or '') ~= start.fence
  local function note() call('HSET', key, 'note', start.note) end
  local answer = happen(start.id, start.note and 'note' or 'hold', { superseded = superseded }, { note = note })
  answers[i] = (answer == 'held' or answer == 'noted') and 1 or 0
end
return answers
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

/** Arguments of the script {@link REPAIR}. The script repairs the keys that all jobs share, and BullMQ's keys, after other software damaged them. */
export interface RepairArguments {
  /** Id of the job whose addition failed halfway, so that it can be added again; empty if there is none. */
  readonly id: string;
}

/**
 * Repairs the keys that all jobs share, and BullMQ's keys, after other software damaged them. A key of another type gets a name with `:damaged:`, and expires a day later. Values of another form are deleted. A job that lost a part fails, and the others go on. All counts are made anew. The next heartbeat mends the lines of the flows.
 *
 * Reason for an atomic script: no command meets keys of which only some are repaired.
 *
 * Returns the names of the keys that had another type, and the ids of the jobs that failed.
 */
export const REPAIR: LuaCommand<RepairArguments> = {
  name: 'repair',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local KEEP_DAMAGED_MS = 86400000
local report = {}

--- Moves a key away if it has another type. Returns whether it had.
local function keep(kind, name)
  if not isOther(kind, name) then return false end
  local aside = PREFIX .. ':damaged:' .. string.sub(name, #PREFIX + 2)
  call('RENAME', name, aside)
  call('PEXPIRE', aside, KEEP_DAMAGED_MS)
  table.insert(report, name)
  return true
end
local function isFlow(flow)
  for _, line in ipairs(LINE_NAMES) do
    if type(flow) == 'string' and string.sub(flow, 1, #line + 1) == line .. '/' then return true end
  end
  return false
end
--- The charge in a packed value; nil for any other value.
local function chargeIn(packed)
  local ok, charged = pcall(cmsgpack.unpack, packed or '')
  return ok and type(charged) == 'table' and type(charged.bytes) == 'number' and isFlow(charged.flow) and charged or nil
end

for name, kind in pairs(SHARED_TYPES) do keep(kind, PREFIX .. ':' .. name) end
for _, name in ipairs({ SEATS, FREE_SEATS }) do
  for _, field in ipairs(call('HKEYS', name)) do
    if not tonumber(call('HGET', name, field)) then call('HDEL', name, field) end
  end
end
if args.id ~= '' then
  call('DEL', jobKey(args.id), bodiesKey(args.id), resultsKey(args.id))
  call('HDEL', LIVING, args.id)
end

--- All jobs that may live. BullMQ's lists know some even if the hash of living jobs was lost.
local known, flows = {}, {}
for _, id in ipairs(call('HKEYS', LIVING)) do known[id] = true end
for _, line in ipairs(LINE_NAMES) do
  for name, kind in pairs(BULL_TYPES) do keep(kind, bullKey(line, name)) end
  if not tonumber(call('GET', bullKey(line, 'id')) or '0') then call('DEL', bullKey(line, 'id')) end
  for _, field in ipairs({ 'concurrency', 'max', 'duration', 'opts.maxLenEvents' }) do
    if not tonumber(call('HGET', bullKey(line, 'meta'), field) or '0') then call('DEL', bullKey(line, 'meta')) end
  end
  for _, list in ipairs({ 'wait', 'active' }) do
    for _, id in ipairs(call('LRANGE', bullKey(line, list), 0, -1)) do
      known[id] = true
      keep('hash', bullKey(line, id))
      keep('string', bullKey(line, id .. ':lock'))
    end
  end
end
--- The flow of a job as far as it is readable.
local function readFlow(id)
  local flow = call('HGET', LIVING, id)
  if isFlow(flow) then return flow end
  flow = not isOther('hash', jobKey(id)) and call('HGET', jobKey(id), 'flow')
  return isFlow(flow) and flow or nil
end
local inLines = {}
for id in pairs(known) do
  local flow = readFlow(id)
  if flow and not flows[flow] then
    flows[flow] = true
    keep('list', waitingKey(flow))
    keep('set', standingKey(flow))
    for _, other in ipairs(call('LRANGE', waitingKey(flow), 0, -1)) do inLines[other] = true end
    for _, other in ipairs(call('SMEMBERS', standingKey(flow))) do
      inLines[other] = true
      keep('hash', bullKey(lineOf(flow), other))
    end
  end
end
for id in pairs(inLines) do known[id] = true end

for _, id in ipairs(call('HKEYS', CHARGES)) do
  if not chargeIn(call('HGET', CHARGES, id)) then
    call('HDEL', CHARGES, id)
    call('ZREM', CHARGED_UNTIL, id)
  elseif call('HEXISTS', LIVING, id) == 0 and not call('ZSCORE', CHARGED_UNTIL, id) then
    call('ZADD', CHARGED_UNTIL, exact(nowMs() + math.max(0, call('PTTL', resultsKey(id)))), id)
  end
end

--- Whether all that a living job needs is there, in its form.
local function isWhole(id)
  local key, damaged = jobKey(id), false
  for name, kind in pairs({ [key] = 'hash', [bodiesKey(id)] = 'hash', [resultsKey(id)] = 'hash' }) do
    if keep(kind, name) then damaged = true end
  end
  local state = not damaged and stateOf(id)
  if (state ~= 'receiving' and state ~= 'running') or call('HEXISTS', key, 'record') == 0 or not isFlow(call('HGET', key, 'flow')) then return false end
  for _, field in ipairs({ 'total', 'done', 'bytes', 'next', 'fence', 'deadline', 'allBytes', 'flowBytes', 'allResults', 'flowResults', 'retention' }) do
    if not tonumber(call('HGET', key, field)) then return false end
  end
  for _, field in ipairs(call('HKEYS', key)) do
    local counts = field == 'celSpent' or field == 'starts' or field == 'unrewarded' or field == 'sealedAt' or field == 'steppedAt' or string.find(field, '^[np]:')
    if counts and not tonumber(call('HGET', key, field)) then return false end
  end
  local judged, total = call('HLEN', resultsKey(id)), number(key, 'total')
  if judged ~= number(key, 'done') or (state == 'running' and judged >= total) then return false end
  return call('HLEN', bodiesKey(id)) + judged >= total
end
--- A job ends as failed, whatever is left of it.
local function fail(id)
  table.insert(report, id)
  call('HDEL', LIVING, id)
  call('DEL', bodiesKey(id))
  if call('EXISTS', jobKey(id)) == 1 then
    call('HSET', jobKey(id), 'state', 'failed')
    if not tonumber(call('HGET', jobKey(id), 'total') or '') then call('HSET', jobKey(id), 'total', 0) end
    call('HSET', ENDED, id, 'lost')
  end
  call('PUBLISH', CHANGES, id)
  call('PUBLISH', CANCELLATIONS, id)
end

for id in pairs(known) do
  local whole = isWhole(id)
  local state = stateOf(id)
  if whole then
    local flow = call('HGET', jobKey(id), 'flow')
    call('HSET', LIVING, id, flow)
    call('ZADD', indexKey(flow), 'NX', exact(nowMs()), id)
    if call('PTTL', indexKey(flow)) < 0 then call('PEXPIRE', indexKey(flow), exact(INDEX_SPARE_MS)) end
  elseif call('HEXISTS', LIVING, id) == 1 or state == 'receiving' or state == 'running' then
    fail(id)
  end
end
recount()
return report
`].join('\n'),
};

/** Arguments of the script {@link STORE}. The script stores the result of a part once. */
export interface StoreArguments {
  /** Id of the job. */
  readonly id: string;
  /** Number of the start that judged the part. */
  readonly fence: number;
  /** Index of the part in its job, from 0. */
  readonly part: number;
  /** Size of the part's items, in bytes. */
  readonly bytes: number;
  /** Result of the part. */
  readonly result: ResultArguments;
}

/**
 * Stores the result of a part once. Result, count and tally change together, so that they always agree.
 *
 * Reason for an atomic script: a result is stored only once, and only for the last start of the job.
 *
 * Returns {answer, end, named…}. `answer` is `stored`, or `duplicate` if the part already has a result. `answer` is `gone` if the job is over or began again, or `tooLarge` if the limits for stored results are reached. `end` is `complete` or `tooLarge` if this call ended the job, and empty otherwise. `named` are jobs that this process must add to BullMQ. A retry of the call returns the same end.
 */
export const STORE: LuaCommand<StoreArguments> = {
  name: 'store',
  lua: [KEYS, CONSTANTS, LINE, LIFE, `
local id, key, result = args.id, jobKey(args.id), args.result
local flow = flowOf(id)

--- Whether there is no room for a result of so many bytes: \`FlowLoad.overfull\` of \`libs/runner/src/flow\`.
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
