// The adapter over Redis, apart from the rest so that who does not use it does not load it.
export { checkRedis } from './check-redis.ts';
export type { RedisCheck } from './check-redis.ts';
export type { RedisTrouble } from './connection-troubles.ts';
export { logRedis } from './log-redis.ts';
export { readRedisAddress, redisAddressText } from './redis-address.ts';
export type { ReadAddress, RedisAddress, RedisTls } from './redis-address.ts';
export { RedisQueue } from './redis-queue.ts';
export type { RedisQueueOptions } from './redis-queue.ts';
export { redisAddressOf } from './redis-settings.ts';
