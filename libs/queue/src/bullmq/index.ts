// The adapter over Redis, apart from the rest so that who does not use it does not load it.
export { RedisQueue } from './redis-queue.ts';
export { isUnavailable } from './unavailable.ts';
