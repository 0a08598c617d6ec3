// The adapter for Redis. It is a separate entry point, so that only its users load it.
export { checkRedis, logRedis } from './check-redis.ts';
export { redisAddressOf, redisAddressText } from './redis-address.ts';
export type { RedisAddress } from './redis-address.ts';
export { RedisQueue } from './redis-queue.ts';
