--- Fails as every claim would where others wrote something else under the names of our keys: who waits for results learns that none can come.
--- @invariant it reads what a claim reads, in the same order: each read depends on the one before
--- KEYS[1] prefix
--- @returns nothing
--- @include include/choice

local function firstOther(kind, names)
  for _, name in ipairs(names) do
    local held = call('TYPE', name).ok
    if held ~= 'none' and held ~= kind then return redis.error_reply('WRONGTYPE ' .. name .. ' holds a ' .. held .. ', not a ' .. kind) end
  end
end

local hashes = { VIRTUAL_TIME, FINISH, RUNNING, CHUNKS, BYTES, EVALUATIONS, RESULT_BYTES, CHARGES, LIVING, LEAVES, LEASED, SEATS, SERVED, ENDED }
local sets = { CHARGED_UNTIL, LEASES, CONSUMERS, SERVING, readyKey('') }
for level in pairs(LEVEL_WEIGHTS) do table.insert(sets, readyKey(level)) end
local other = firstOther('hash', hashes) or firstOther('zset', sets)
if other then return other end
local level, flow = choose(seatsPerFlow(nowMs()))
if level then front(level, flow) end
