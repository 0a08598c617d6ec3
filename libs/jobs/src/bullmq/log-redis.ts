import type { RedisCheck } from './check-redis.ts';
import type { RedisTrouble } from './connection-troubles.ts';

/** Methods of a logger that `logRedis` uses. */
type RedisLog = Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>;

/**
 * Returns callbacks that write the state of Redis to the log. `report` logs that a connection is lost or works again. `found` logs the result
 * of the check at start. `repaired` logs which keys were damaged.
 */
export function logRedis(log: RedisLog): {
  readonly report: (trouble: RedisTrouble) => void;
  readonly found: RedisCheck['found'];
  readonly repaired: (names: readonly string[]) => void;
} {
  return {
    report: ({ state, ...fields }) => {
      if (state === 'back') log.info({ failures: fields.failures }, 'Redis answers again');
      else log.warn(fields, 'Redis does not answer');
    },
    repaired: (names) => log.warn({ names: names.slice(0, 100) }, 'keys in Redis were damaged by other software, and are repaired'),
    found: (finding) => {
      if (finding.kind === 'away') log.warn({ reason: finding.reason }, 'Redis (ASSAY_REDIS_URL) cannot be used yet');
      else for (const warning of finding.warnings) log.warn({ warning }, 'Redis (ASSAY_REDIS_URL) can be used, but');
    },
  };
}
