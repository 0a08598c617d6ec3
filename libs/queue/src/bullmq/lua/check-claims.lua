--- Fails if others wrote something else under the names of our keys or of BullMQ's: no claim can succeed then, and who waits for results learns it.
--- @invariant scripts fail so, and this asks as they do
--- KEYS[1] prefix
--- @returns nothing
--- @include include/keys

local function firstOther(kind, names)
  for _, name in ipairs(names) do
    local held = call('TYPE', name).ok
    if held ~= 'none' and held ~= kind then return redis.error_reply('WRONGTYPE ' .. name .. ' holds a ' .. held .. ', not a ' .. kind) end
  end
end
local runs = PREFIX .. ':bull:runs:'
local hashes = { TAGS, RUNNING, CHUNKS, BYTES, EVALUATIONS, RESULT_BYTES, CHARGES, LIVING, LEASED, SEATS, SERVED, ENDED, runs .. 'meta' }
local sets = { CHARGED_UNTIL, CONSUMERS, SERVING, runs .. 'prioritized', runs .. 'marker' }
local other = firstOther('hash', hashes) or firstOther('zset', sets) or firstOther('list', { runs .. 'wait', runs .. 'active' })
if other then return other end
