--- Gives a process tokens of rates that all processes share: of each as many as it asks for, or as there are.
--- @invariant tokens that come with the server's time are given once
--- KEYS[1] prefix
--- @argument process string  who asks
--- @argument countsMs number  how long it counts among the takers of tokens, ms
--- @argument requests readonly TokenRequest[]  what it asks for
--- @returns processes that take tokens; then for each request the tokens and the ms until there is one more (0: now)
--- @include include/keys

local now = nowMs()
call('ZADD', TOKEN_TAKERS, now + args.countsMs, args.process)
call('ZREMRANGEBYSCORE', TOKEN_TAKERS, '-inf', now)
local answer = { call('ZCARD', TOKEN_TAKERS) }
for _, request in ipairs(args.requests) do
  local key = tokensKey(request.name)
  local there = call('HMGET', key, 'tokens', 'at')
  local tokens = request.size
  if there[1] then
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
