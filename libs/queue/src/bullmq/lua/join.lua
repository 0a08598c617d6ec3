--- Consumers take part, or leave.
--- @invariant the time is the server's, and a consumer that is gone by it is counted no more
--- KEYS[1] prefix
--- @argument consumers readonly string[]  their names
--- @argument seats number  of each
--- @argument free number  of these, so many are left by other work
--- @argument ms number  how long they count as there; 0: they leave
--- @argument form number  of what this release stores (`stored-form.ts`)
--- @returns nothing
--- @include include/keys

local now = nowMs()
for _, consumer in ipairs(args.consumers) do
  if args.ms == 0 then
    call('ZREM', CONSUMERS, consumer)
  else
    call('SET', FORM, args.form, 'NX')
    call('ZADD', CONSUMERS, now + args.ms, consumer)
    call('HSET', SEATS, consumer, args.seats)
    call('HSET', FREE_SEATS, consumer, args.free)
  end
end
for _, consumer in ipairs(call('HKEYS', SEATS)) do
  local until_ = call('ZSCORE', CONSUMERS, consumer)
  if not until_ or tonumber(until_) <= now then
    call('ZREM', CONSUMERS, consumer)
    call('HDEL', SEATS, consumer)
    call('HDEL', FREE_SEATS, consumer)
  end
end
