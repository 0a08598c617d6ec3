--- Names of all keys, and functions that read and write values. Every command begins with this part.
--- KEYS[1] is the prefix of the installation, a hash tag with which all other keys begin. ARGV[1] is a MessagePack map with the arguments of the command.

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
--- Sorted set: jobs that are to be added to BullMQ, by the time (epoch ms of the server's clock) at which a process was last asked to do so.
local NAMED = PREFIX .. ':line:named'
--- Sorted set: consumers by the time at which they count as gone; hashes: the seats of each, and those that other work leaves to it.
local CONSUMERS, SEATS, FREE_SEATS = PREFIX .. ':consumers', PREFIX .. ':seats', PREFIX .. ':free'
--- Hash: job -> how it ended (lost, cancelled), if its end has not been reported to any process.
local ENDED = PREFIX .. ':ended'
--- Sorted set: processes that take tokens of shared rates, by the time at which they count as gone.
local TOKEN_TAKERS = PREFIX .. ':tokens'
--- Channels: jobs whose progress changed, jobs whose work is to be stopped, lines that get jobs.
local CHANGES, CANCELLATIONS, LINES = PREFIX .. ':changes', PREFIX .. ':cancellations', PREFIX .. ':lines'

--- Number of the storage format (`stored-form.ts`), for processes of other releases; never expires.
local FORM = PREFIX .. ':format'

--- Hash: state, flow, record, note, percent, born, total, done, bytes, next, deadline, steppedAt, sealedAt, allBytes, flowBytes, allResults, flowResults, retention, definition, fence, starter, starts, unrewarded, celSpent, finisher, n:* and p:* (tally).
local function jobKey(id) return PREFIX .. ':ev:' .. id end
--- Hashes by part: the packed items, the packed results.
local function bodiesKey(id) return PREFIX .. ':body:' .. id end
local function resultsKey(id) return PREFIX .. ':res:' .. id end
--- List: sealed jobs of a flow that wait until BullMQ gets them, the next first; set: jobs of the flow in BullMQ.
local function waitingKey(flow) return PREFIX .. ':line:wait:' .. flow end
local function standingKey(flow) return PREFIX .. ':line:stand:' .. flow end
--- Ends that a heartbeat reported, in case its reply was lost (MessagePack).
local function toldKey(nonce) return PREFIX .. ':told:' .. nonce end
--- Hash of a shared rate: available tokens; at (epoch ms of the server's clock).
local function tokensKey(name) return PREFIX .. ':tokens:' .. name end

local function number(key, field) return tonumber(call('HGET', key, field) or '0') end
--- Returns a number as text from which exactly this number can be read.
local function exact(x) return string.format('%.17g', x) end
local function put(key, field, x) call('HSET', key, field, exact(x)) end
local function nowMs()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
