--- Names of all keys, and functions that read and write values. Every command begins with this part.
--- KEYS[1] is the prefix of the installation, a hash tag with which all other keys begin. ARGV[1] is a MessagePack map with the arguments of the command.

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

--- The number of the form of all this (`stored-form.ts`), for processes of other releases; never expires.
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
