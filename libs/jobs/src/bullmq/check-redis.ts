import { Cluster } from 'ioredis';
import type { ContentKey } from '../at-rest/read-secrets.ts';
import { Sealing, UnreadableContent } from '../at-rest/sealing.ts';
import { otherFormReason, REDIS_FORM } from '../stored-form.ts';
import { errorMessage, openConnection } from './connections.ts';
import type { Connection, RedisTrouble } from './connections.ts';
import type { RedisAddress } from './redis-address.ts';

/** Options for checking Redis when a process starts. */
interface RedisCheck extends RedisNeeds {
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

/**
 * Result of inspecting a Redis. `wrong`: Redis answers, but its address or configuration must change. `away`: Redis may become usable
 * later. `usable`: Redis can serve the queue; `warnings` are for its operator.
 */
type RedisFinding =
  | { readonly kind: 'usable'; readonly warnings: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string };

/** Time in ms after which a server that does not respond counts as unavailable. */
const TIMEOUT_MS = 5000;
/** Oldest supported Redis release. The scripts need `ZRANGE … BYSCORE`, which was introduced in 6.2. */
const MIN_VERSION = [6, 2] as const;
/** Pattern of Redis errors that do not disappear by waiting. */
const REFUSED =
  /^(?:NOAUTH|WRONGPASS|NOPERM|ERR (?:invalid password|DB index|ACL|AUTH))|NOPERM|No permissions|cluster support disabled|CERT|certificate|wrong version number/i;
/** Script that writes one key. It tests if scripts may write, because the queue stores all its data through scripts. */
const WRITE = "return redis.call('SET', KEYS[1], '1', 'PX', 1000)";

/**
 * Script that returns the form number (format version) of the stored data, and sets the number if it is missing. If it is missing but
 * living evaluations or consumers exist, a release without form numbers wrote the data, and the result is 1. KEYS: form, living
 * evaluations, consumers; ARGV: the form of this release.
 */
const AGREE_ON_FORM = `
local form = redis.call('GET', KEYS[1])
if form then return form end
local now = redis.call('TIME')[1] * 1000
if redis.call('EXISTS', KEYS[2]) == 1 or redis.call('ZCOUNT', KEYS[3], now, '+inf') > 0 then return '1' end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`;

/** Requirements of a queue that an inspection of Redis checks: the queue's namespace and its encryption keys. */
interface RedisNeeds {
  readonly namespace?: string;
  /** Keys that encrypt the content in this Redis. */
  readonly contentKeys?: readonly ContentKey[];
}

/** Inspects a Redis and reports if it can serve a queue in this namespace. Uses a separate connection and makes one attempt to connect. */
export async function inspectRedis(
  address: RedisAddress,
  { namespace = 'assay', contentKeys = [] }: RedisNeeds = {},
): Promise<RedisFinding> {
  const connection = openConnection(address, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS,
    enableReadyCheck: false,
    reconnectOnError: null,
    ...(address.kind === 'sentinel' && { sentinelRetryStrategy: () => null }),
  });
  let last: unknown;
  connection.on('error', (error: unknown) => (last = error));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<RedisFinding>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'away', reason: last === undefined ? 'no answer' : errorMessage(last) }), 2 * TIMEOUT_MS);
  });
  try {
    return await Promise.race([inspect(connection, address, namespace, new Sealing(contentKeys)), timeout]);
  } catch (error) {
    if (error instanceof UnreadableContent) return { kind: 'wrong', reason: error.message };
    // The client's error for a refused connection is generic. Its error event has the reason.
    const reason = errorMessage(last ?? error);
    return { kind: REFUSED.test(reason) || REFUSED.test(errorMessage(error)) ? 'wrong' : 'away', reason };
  } finally {
    clearTimeout(timer);
    connection.disconnect();
  }
}

async function inspect(connection: Connection, address: RedisAddress, namespace: string, sealing: Sealing): Promise<RedisFinding> {
  await connection.connect();
  if (!(connection instanceof Cluster) && address.kind !== 'cluster') await connection.select(address.db);
  const facts = await factsOf(connection);
  const wrong = misfitOf(facts, address);
  if (wrong !== undefined) return { kind: 'wrong', reason: wrong };
  if (facts.get('role') === 'slave') return { kind: 'away', reason: 'it is a read-only replica, not the master' };
  const prefix = `{${namespace}}`;
  await connection.call('EVAL', WRITE, '1', `${prefix}:inspected`);
  const named = ['format', 'living', 'consumers'].map((name) => `${prefix}:${name}`);
  const form = String(await connection.call('EVAL', AGREE_ON_FORM, '3', ...named, String(REDIS_FORM)));
  if (form !== String(REDIS_FORM)) return { kind: 'wrong', reason: otherFormReason(form, REDIS_FORM) };
  await agreeOnKeys(connection, `${prefix}:sealed`, sealing);
  return { kind: 'usable', warnings: warningsOf(facts) };
}

/**
 * Checks that this process has the keys that encrypt the stored data, and throws {@link UnreadableContent} if it does not. Stores a new
 * encrypted sample if the storage needs one.
 */
async function agreeOnKeys(connection: Connection, key: string, sealing: Sealing): Promise<void> {
  const sample = sealing.sampleFor((await connection.getBuffer(key)) ?? undefined);
  if (sample) await connection.set(key, Buffer.from(sample));
}

/** Returns the fields of the `INFO` command, or an empty map if the user lacks the permission. In a cluster, one node is queried. */
async function factsOf(connection: Connection): Promise<ReadonlyMap<string, string>> {
  try {
    const text = await connection.info();
    const lines = text.split('\r\n').filter((line) => line.includes(':'));
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return new Map();
    throw error;
  }
}

function misfitOf(facts: ReadonlyMap<string, string>, { kind }: RedisAddress): string | undefined {
  const version = facts.get('redis_version');
  if (version !== undefined) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [minMajor, minMinor] = MIN_VERSION;
    if (major < minMajor || (major === minMajor && minor < minMinor)) return `Redis ${version} is older than ${MIN_VERSION.join('.')}`;
  }
  const clustered = facts.get('cluster_enabled');
  if (kind === 'cluster' && clustered === '0') return 'it is no node of a cluster: redis:// or redis+sentinel:// is meant';
  if (kind !== 'cluster' && clustered === '1') return 'it is a node of a cluster: redis+cluster:// is meant';
  return undefined;
}

function warningsOf(facts: ReadonlyMap<string, string>): readonly string[] {
  if (facts.size === 0) return ['this user may not ask INFO: role, version and eviction policy are not known'];
  const policy = facts.get('maxmemory_policy');
  return policy === undefined || policy === 'noeviction'
    ? []
    : [`its maxmemory-policy is ${policy}: when it is full, evaluations are lost; noeviction has new ones refused instead`];
}

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
