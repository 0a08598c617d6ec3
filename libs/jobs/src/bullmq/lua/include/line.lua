--- Lines of the flows. BullMQ gets only the first jobs of each flow; the others wait in a list until a job of their flow is over.
--- @include include/keys
--- @include include/constants

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
--- Returns the flow of a job, or nil if the job is unknown.
local function flowOf(id) return call('HGET', jobKey(id), 'flow') or call('HGET', LIVING, id) or nil end
local function lineOf(flow) return string.match(flow, '^[^/]*') end
--- Sorted set: jobs of the kind of a flow's jobs, by the time at which they were added.
local function indexKey(flow) return PREFIX .. ':index:' .. (lineOf(flow) == STUDY_LINE and 'study' or 'evaluation') end
--- A key of BullMQ's queue for a line; the name of a job is the name of its key.
local function bullKey(line, name) return PREFIX .. ':bull:jobs-' .. line .. ':' .. name end
--- Returns true if a key has a value of another type.
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

--- Jobs that the calling process must add to BullMQ: id, flow, parts, bytes and definition of each job.
local named = {}
local function name(id, flow)
  call('ZADD', NAMED, exact(nowMs()), id)
  local fields = call('HMGET', jobKey(id), 'total', 'bytes', 'definition')
  for _, word in ipairs({ id, flow, fields[1] or '0', fields[2] or '0', fields[3] or '' }) do table.insert(named, word) end
  call('PUBLISH', LINES, lineOf(flow))
end
--- Gives the free places of a flow to its next jobs.
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
--- Extends the lifetime of a flow's line, so that it exceeds the lifetime of each of its jobs.
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
--- Appends the named jobs to an answer.
local function withNamed(answer)
  for _, word in ipairs(named) do table.insert(answer, word) end
  return answer
end
