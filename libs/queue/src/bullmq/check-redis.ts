import { inspectRedis } from './inspect-redis.ts';
import type { RedisFinding, RedisNeeds } from './inspect-redis.ts';
import type { RedisAddress } from './redis-address.ts';

/** What the check at the start looks for, and whom it tells. */
export interface RedisCheck extends RedisNeeds {
  /** Each time that Redis was found away or usable. */
  readonly found: (finding: Exclude<RedisFinding, { kind: 'wrong' }>) => void;
  /** Redis answers and can never serve: the process has to end. */
  readonly wrong: (reason: string) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Inspects the Redis of a process that starts. One that is away is inspected again, after ever longer pauses, until it was found usable or wrong; the
 * promise does not wait for that: it resolves after the first look.
 */
export async function checkRedis(address: RedisAddress, check: RedisCheck, pauseMs = FIRST_PAUSE_MS): Promise<void> {
  const finding = await inspectRedis(address, check);
  if (finding.kind === 'wrong') return check.wrong(finding.reason);
  check.found(finding);
  if (finding.kind === 'away') setTimeout(() => void checkRedis(address, check, Math.min(2 * pauseMs, LONGEST_PAUSE_MS)), pauseMs).unref();
}
