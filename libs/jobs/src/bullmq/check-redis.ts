import { inspectRedis } from './inspect-redis.ts';
import type { RedisFinding, RedisNeeds } from './inspect-redis.ts';
import type { RedisAddress } from './redis-address.ts';

/** Options for checking Redis when a process starts. */
export interface RedisCheck extends RedisNeeds {
  /** Callback for each finding that Redis is unavailable or usable. */
  readonly found: (finding: Exclude<RedisFinding, { kind: 'wrong' }>) => void;
  /** Callback for the finding that Redis responds but can never serve this queue. The process must exit after this call. */
  readonly wrong: (reason: string) => void;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Checks at the start of a process if Redis is available and can serve the queue. Reports each finding to the callbacks of `check`. The
 * promise resolves after the first check. If Redis is unavailable, the check is repeated after increasing pauses, until Redis is usable or
 * proves unable to serve this queue.
 */
export async function checkRedis(address: RedisAddress, check: RedisCheck, pauseMs = FIRST_PAUSE_MS): Promise<void> {
  const finding = await inspectRedis(address, check);
  if (finding.kind === 'wrong') return check.wrong(finding.reason);
  check.found(finding);
  if (finding.kind === 'away') setTimeout(() => void checkRedis(address, check, Math.min(2 * pauseMs, MAX_PAUSE_MS)), pauseMs).unref();
}
