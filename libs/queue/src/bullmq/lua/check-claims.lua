--- Fails if the keys that a claim (assignment of a waiting chunk to a consumer) reads have values of another Redis type.
--- Other software can cause this, and every claim would then fail in the same way.
--- Because of this check, clients that wait for results learn that no results can arrive.
--- @invariant the script reads the same keys as a claim, and each read depends on the previous one
--- KEYS[1] prefix
--- @returns nothing
--- @include include/choice

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
