--- Grants a process tokens of rate limits that all processes share. For each rate limit, the process receives the requested number of tokens.
--- If fewer tokens are available, the process receives only the available tokens.
--- @invariant tokens that accumulate with the server's time are granted only once
--- KEYS[1] prefix
--- @argument process string  Name of the requesting process
--- @argument countsMs number  Time in ms for which the process is counted as a taker of tokens
--- @argument requests readonly TokenRequest[]  Requested tokens, with one request for each rate limit
--- @returns {processes, granted, nextMs, …}. `processes` is the number of processes that take tokens. Each request adds a pair to the list.
--- @returns `granted` is the number of granted tokens. `nextMs` is the time in ms until another token is available, or 0 if a token is available now
--- @include include/keys

local now = nowMs()
call('ZADD', TOKEN_TAKERS, now + args.countsMs, args.process)
call('ZREMRANGEBYSCORE', TOKEN_TAKERS, '-inf', now)
local answer = { call('ZCARD', TOKEN_TAKERS) }
for _, request in ipairs(args.requests) do
  local key = tokensKey(request.name)
  if call('TYPE', key).ok ~= 'hash' then call('DEL', key) end
  local there = call('HMGET', key, 'tokens', 'at')
  local tokens = request.size
  -- An invalid value counts as a full rate.
  if tonumber(there[1] or '') and tonumber(there[2] or '') then
    local gained = math.max(0, now - tonumber(there[2])) / 1000 * request.perSecond
    tokens = math.min(request.size, tonumber(there[1]) + gained)
  end
  local given = math.min(request.tokens, math.floor(tokens))
  tokens = tokens - given
  call('HSET', key, 'tokens', exact(tokens), 'at', exact(now))
  -- A full rate needs no key.
  call('PEXPIRE', key, exact(math.min(math.ceil(request.size / request.perSecond * 1000) + 1000, 1e12)))
  answer[#answer + 1] = given
  answer[#answer + 1] = tokens >= 1 and 0 or math.ceil((1 - tokens) / request.perSecond * 1000)
end
return answer
