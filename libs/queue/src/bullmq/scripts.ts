/**
 * The atomic steps. Each is idempotent where it may be sent twice, and says in one word what it did. Keys and arguments by position; the
 * order is that of the call in `redis-queue.ts`.
 */

/** KEYS evaluation, living, waitingBytes. ARGV id, record, max living, max bytes, ttl ms. → accepted | exists | full */
export const ACCEPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 'full' end
if tonumber(redis.call('GET', KEYS[3]) or '0') >= tonumber(ARGV[4]) then return 'full' end
redis.call('HSET', KEYS[1], 'record', ARGV[2], 'total', 0, 'done', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('SADD', KEYS[2], ARGV[1])
return 'accepted'`;

/** KEYS evaluation, waiting, bodies, ready, waitingBytes. ARGV id, body, bytes, max bytes, ttl ms. → queued | over | full */
export const ENQUEUE = `
if redis.call('HEXISTS', KEYS[1], 'record') == 0 or redis.call('HEXISTS', KEYS[1], 'cancelled') == 1 or redis.call('HEXISTS', KEYS[1], 'sealed') == 1 then return 'over' end
local held = tonumber(redis.call('GET', KEYS[5]) or '0')
if held > 0 and held + tonumber(ARGV[3]) > tonumber(ARGV[4]) then return 'full' end
local index = redis.call('HINCRBY', KEYS[1], 'total', 1) - 1
redis.call('HSET', KEYS[3], index, ARGV[2])
redis.call('INCRBY', KEYS[5], ARGV[3])
redis.call('RPUSH', KEYS[2], index .. '|0|' .. ARGV[3])
if redis.call('LLEN', KEYS[2]) == 1 then redis.call('RPUSH', KEYS[4], ARGV[1]) end
for _, key in ipairs({KEYS[1], KEYS[2], KEYS[3]}) do redis.call('PEXPIRE', key, ARGV[5]) end
return 'queued'`;

/** KEYS ready, leases, waitingBytes. ARGV lease end ms, key prefix of waiting, of bodies, of evaluations. → nil | {id, chunk, claims, body} */
export const CLAIM = `
while true do
  local id = redis.call('LPOP', KEYS[1])
  if not id then return nil end
  local waiting = ARGV[2] .. id
  local ref = redis.call('LPOP', waiting)
  if redis.call('LLEN', waiting) > 0 then redis.call('RPUSH', KEYS[1], id) end
  if ref then
    local chunk, claims, bytes = string.match(ref, '^(%d+)|(%d+)|(%d+)$')
    redis.call('DECRBY', KEYS[3], bytes)
    local body = redis.call('HGET', ARGV[3] .. id, chunk)
    if body then
      redis.call('ZADD', KEYS[2], ARGV[1], ref .. '|' .. id)
      return {id, chunk, claims, body}
    end
  end
end`;

/** KEYS evaluation, results, bodies, leases, living. ARGV id, chunk, result, lease member prefix, ttl ms, then tally field/value pairs. → stored | duplicate | gone */
export const COMMIT = `
redis.call('ZREM', KEYS[4], ARGV[4])
if redis.call('HEXISTS', KEYS[1], 'record') == 0 or redis.call('HEXISTS', KEYS[1], 'cancelled') == 1 then return 'gone' end
if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3]) == 0 then return 'duplicate' end
redis.call('HDEL', KEYS[3], ARGV[2])
local done = redis.call('HINCRBY', KEYS[1], 'done', 1)
for i = 6, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
if redis.call('HEXISTS', KEYS[1], 'sealed') == 1 and done == tonumber(redis.call('HGET', KEYS[1], 'total')) then redis.call('SREM', KEYS[5], ARGV[1]) end
return 'stored'`;

/** KEYS evaluation, waiting, ready, leases, waitingBytes. ARGV id, chunk, claims (new), bytes, lease member. → released | gone. A chunk whose lease is gone was taken back already. */
export const RELEASE = `
if redis.call('ZREM', KEYS[4], ARGV[5]) == 0 then return 'gone' end
if redis.call('HEXISTS', KEYS[1], 'record') == 0 or redis.call('HEXISTS', KEYS[1], 'cancelled') == 1 then return 'gone' end
redis.call('LPUSH', KEYS[2], ARGV[2] .. '|' .. ARGV[3] .. '|' .. ARGV[4])
redis.call('INCRBY', KEYS[5], ARGV[4])
if redis.call('LLEN', KEYS[2]) == 1 then redis.call('RPUSH', KEYS[3], ARGV[1]) end
return 'released'`;

/** KEYS evaluation, living. ARGV id. → sealed | gone */
export const SEAL = `
if redis.call('HEXISTS', KEYS[1], 'record') == 0 then return 'gone' end
redis.call('HSET', KEYS[1], 'sealed', 1)
if redis.call('HGET', KEYS[1], 'done') == redis.call('HGET', KEYS[1], 'total') then redis.call('SREM', KEYS[2], ARGV[1]) end
return 'sealed'`;

/** KEYS evaluation, waiting, bodies, living, waitingBytes, ready. ARGV id. → cancelled | over */
export const CANCEL = `
if redis.call('HEXISTS', KEYS[1], 'record') == 0 or redis.call('SISMEMBER', KEYS[4], ARGV[1]) == 0 then return 'over' end
redis.call('HSET', KEYS[1], 'cancelled', 1)
for _, ref in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do redis.call('DECRBY', KEYS[5], string.match(ref, '|(%d+)$')) end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('LREM', KEYS[6], 0, ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
return 'cancelled'`;
