import { UnreadableContent } from './at-rest/sealing.ts';

/**
 * Matches errors of a Redis server that answers but cannot serve this client or any client. The causes are: memory or disk full, loading,
 * replica, no master, no permission.
 */
const UNABLE =
  /^(?:OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM|UNBLOCKED|EXECABORT|ERR ACL failure) ?/;
/** Matches errors about keys that other software wrote: values of another type, or fields of another form, on which a script fails. */
const NOT_OURS =
  /^(?:WRONGTYPE|ERR (?:user_script:|Error running script|Lua redis lib command arguments|(?:hash )?value is not (?:an integer|a (?:valid )?float))) ?/;
/** Matches error messages of the Redis client about a lost connection, or a connection that cannot be opened. */
const UNREACHABLE =
  /^(?:Connection is closed|Command timed out|Stream isn't writeable|Failed to refresh slots cache|All sentinels are unreachable|Cluster isn't ready|None of startup nodes)/;
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** SQLite's primary result codes for a journal that currently cannot be read or written: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE = new Set([5, 6, 8, 10, 13, 14]);

/** Returns true if an error of Redis means that other software damaged keys of the queue. */
export const isDamage = (error: unknown): boolean => error instanceof Error && NOT_OURS.test(error.message);

/** Error that is thrown if the storage behind the queue, such as Redis, currently cannot serve requests. */
export class StorageUnavailable extends Error {}

/**
 * Returns true if an error means that the storage behind the queue is unreachable or currently unable to serve. Unreadable content, which
 * other software wrote, also counts as such an error.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnreadableContent || error instanceof StorageUnavailable) return true;
  if ('errcode' in error) return SQLITE.has(Number(error.errcode) & 0xff);
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'ClusterAllFailedError') return true;
  if ('syscall' in error && 'code' in error && SYSTEM.has(String(error.code))) return true;
  return [UNREACHABLE, UNABLE, NOT_OURS].some((words) => words.test(error.message));
}

/** Value that replaces an answer that did not arrive in time. */
export const LATE = Symbol('late');

/**
 * Returns the result of the promise `answer` if it arrives within `ms` ms, otherwise {@link LATE}. Rejects if the promise rejects. A result
 * that arrived while this process was suspended still counts as in time.
 */
export async function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(LATE)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
