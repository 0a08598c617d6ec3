--- Names of all keys, reading and writing of values. Every command begins with this.
--- KEYS[1] is the installation's prefix, a hash tag, from which all other keys are made; ARGV[1] is one MessagePack map, the command's arguments.

local call = redis.call
local args = cmsgpack.unpack(ARGV[1])
local PREFIX = KEYS[1]

--- Hash: virtual time (''), base of priorities ('base'), and the start tag of each flow's next run.
local TAGS = PREFIX .. ':fq:tags'
--- Hashes by flow, level and '' (all): chunks that run; chunks and bytes that wait; evaluations that live.
local RUNNING = PREFIX .. ':fq:run'
local CHUNKS, BYTES, EVALUATIONS = PREFIX .. ':fq:chunks', PREFIX .. ':fq:bytes', PREFIX .. ':fq:evaluations'
--- Hash by flow, level and '' (all): bytes of results that detached evaluations keep.
local RESULT_BYTES = PREFIX .. ':fq:results'
--- Hash: evaluation -> what its results are charged to, and how many bytes (MessagePack); sorted set: those that are over by the time at which they expire.
local CHARGES, CHARGED_UNTIL = PREFIX .. ':charges', PREFIX .. ':charged'
--- Hash: live evaluation -> its queue key (MessagePack), known even where the evaluation's own keys were lost.
local LIVING = PREFIX .. ':living'
--- Hash: job of BullMQ -> what it is claimed for (MessagePack).
local LEASED = PREFIX .. ':leased'
--- Sorted set: consumers by the time at which they count as gone; hashes: the seats of each, and those that other work leaves to it.
local CONSUMERS, SEATS, FREE_SEATS = PREFIX .. ':consumers', PREFIX .. ':seats', PREFIX .. ':free'
--- Hash: evaluation whose client waits -> process that serves it; sorted set: those processes by the time at which they count as gone.
local SERVED, SERVING = PREFIX .. ':served', PREFIX .. ':serving'
--- Hash: detached evaluation -> how it ended (lost, cancelled), where its end is not yet told to any process.
local ENDED = PREFIX .. ':ended'
--- Sorted set: processes that take tokens of shared rates, by the time at which they count as gone.
local TOKEN_TAKERS = PREFIX .. ':tokens'
--- Channels: evaluations whose progress changed, evaluations whose chunks are to be stopped.
local CHANGES, CANCELLATIONS = PREFIX .. ':changes', PREFIX .. ':cancellations'

--- The number of the form of all this (`stored-form.ts`), for processes of other releases; never expires.
local FORM = PREFIX .. ':format'

--- Hash: state, record, queueKey, born, total, done, claimed, next, deadline, flowBytes, allResults, flowResults, retention, itemMs, definition, celSpent, finisher, n:* and p:* (tally).
local function evaluationKey(id) return PREFIX .. ':ev:' .. id end
--- Hash: waiting chunks of an evaluation (MessagePack).
local function waitingKey(id) return PREFIX .. ':wait:' .. id end
--- Hashes by chunk: the packed items, the packed results.
local function bodiesKey(id) return PREFIX .. ':body:' .. id end
local function resultsKey(id) return PREFIX .. ':res:' .. id end
--- BullMQ's job of a chunk, and the hash in which BullMQ keeps it.
local function jobOf(born, chunk) return string.format('%s-%d', born, chunk) end
local function jobKey(job) return PREFIX .. ':bull:runs:' .. job end
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
