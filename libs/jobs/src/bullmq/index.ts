// The adapter for Redis. It is a separate entry point, so that only its users load it.
export { checkRedis } from './check-redis.ts';
export { logRedis } from './log-redis.ts';
export { redisAddressText } from './redis-address.ts';
export type { RedisAddress } from './redis-address.ts';
export { RedisQueue } from './redis-queue.ts';
export { redisAddressOf } from './redis-settings.ts';
