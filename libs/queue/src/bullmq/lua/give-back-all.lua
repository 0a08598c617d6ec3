--- Gives every claimed chunk back, as if all consumers had died long ago.
--- @invariant what is claimed at this moment is given back, each chunk once
--- KEYS[1] prefix
--- @returns {job, token, …} of the claims
--- @include include/life

local words = {}
local all = call('HGETALL', LEASED)
for i = 1, #all, 2 do
  local token = cmsgpack.unpack(all[i + 1]).token
  giveBack(all[i] .. '/' .. token, 'expire')
  table.insert(words, all[i])
  table.insert(words, token)
end
return words
