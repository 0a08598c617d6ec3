--- Registers consumers for a time, or removes them. Also removes all other consumers whose registration has expired.
--- @invariant the time comes from the server, and consumers with an expired registration are no longer counted
--- KEYS[1] prefix
--- @argument consumers readonly string[]  Names of the consumers
--- @argument seats number  Number of seats of each consumer
--- @argument free number  Number of seats of each consumer that other work leaves free
--- @argument ms number  Time in ms for which the consumers are registered; 0 to remove them
--- @argument form number  Number of the storage format that this release writes (`stored-form.ts`)
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
