import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';

/** A connection to one server or to all nodes of a cluster. */
export type Connection = Redis | Cluster;

/** Time in ms after which an unanswered command fails. It is longer than the usual fail-over of a Sentinel. */
const COMMAND_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5000;
/** Shortest and longest pause between attempts to connect, in ms. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2000;

/**
 * Use of a connection. `commands`: each command succeeds or fails within the timeout. `blocking`: commands block until data arrives, and
 * also wait while the server is unavailable.
 */
export type ConnectionUse = 'commands' | 'blocking';

/** All connections of one queue to one Redis. They have equal settings, a common report of failures, and are closed together. */
export class RedisConnections {
  readonly #address: RedisAddress;
  readonly #troubles: ConnectionTroubles;
  readonly #open = new Set<Connection>();

  constructor(address: RedisAddress, report: (trouble: RedisTrouble) => void = () => undefined) {
    this.#address = address;
    this.#troubles = new ConnectionTroubles(report);
  }

  /** Opens a connection, which connects and reconnects automatically. */
  open(use: ConnectionUse): Connection {
    return this.#watch(
      openConnection(this.#address, use === 'commands' ? { commandTimeout: COMMAND_TIMEOUT_MS } : { maxRetriesPerRequest: null }),
    );
  }

  /** Closes all connections without waiting. Commands in progress fail. */
  close(): void {
    for (const connection of this.#open) connection.disconnect();
  }

  /**
   * Adds listeners to a connection and to every copy that BullMQ makes of it. Without an error listener, each error would be printed to
   * stderr.
   */
  #watch(connection: Connection): Connection {
    this.#open.add(connection);
    connection.on('error', (error: unknown) => this.#troubles.failed(error));
    connection.on('ready', () => this.#troubles.recovered());
    connection.on('end', () => this.#open.delete(connection));
    const duplicate = connection.duplicate.bind(connection) as (...given: unknown[]) => Connection;
    return Object.assign(connection, { duplicate: (...given: unknown[]) => this.#watch(duplicate(...given)) });
  }
}

/** Opens a connection without event listeners. The caller must add them. */
export function openConnection(address: RedisAddress, options: RedisOptions): Connection {
  const { username, password, tls } = address;
  const common: RedisOptions = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: retryAfterMs,
    // After a fail-over, the old master answers that it is a replica. The client then asks for the new master and repeats the command
    // there.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') && address.kind === 'sentinel' ? 2 : false),
    ...options,
  };
  switch (address.kind) {
    case 'server':
      return new Redis({ ...common, ...address.nodes[0], db: address.db });
    case 'sentinel':
      return new Redis({
        ...common,
        sentinels: address.nodes.map((node) => ({ ...node })),
        name: address.master,
        db: address.db,
        role: 'master',
        ...(address.sentinelPassword !== undefined && { sentinelPassword: address.sentinelPassword }),
        ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
        sentinelRetryStrategy: retryAfterMs,
      });
    case 'cluster':
      return new Cluster([...address.nodes], {
        redisOptions: common,
        clusterRetryStrategy: retryAfterMs,
        // TLS certificates contain host names, and some networks route only by name. So names are not resolved to addresses.
        dnsLookup: (host, callback) => callback(null, host),
        ...(options.lazyConnect === true && { lazyConnect: true }),
      });
  }
}

const retryAfterMs = (attempts: number): number => Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), MAX_RETRY_MS);

/** Report that the connections of a process to Redis fail or work again. */
export interface RedisTrouble {
  /** `away`: Redis does not answer or answers with errors. `back`: Redis answers again. */
  readonly state: 'away' | 'back';
  /** Reason in the words of Redis or of the operating system. The text contains no password and no part of a command. */
  readonly reason: string;
  /** Number of failures of all connections since the last report, including the current failure. */
  readonly failures: number;
}

/** First and longest pause between two reports while connections keep failing, in ms. Each pause is twice as long as the previous pause. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/**
 * Summary of connection failures. They are summarized because several connections may fail repeatedly for the same reason. The first
 * failure is reported at once. Further reports follow after increasing pauses, and a final report when a connection is usable again.
 */
export class ConnectionTroubles {
  readonly #report: (trouble: RedisTrouble) => void;
  readonly #now: () => number;
  #pauseMs = 0;
  #nextAt = 0;
  #failures = 0;

  /** Creates the summary. `now` returns a time in ms that never decreases. */
  constructor(report: (trouble: RedisTrouble) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  failed(error: unknown): void {
    this.#failures++;
    const now = this.#now();
    if (now < this.#nextAt) return;
    this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, FIRST_PAUSE_MS), MAX_PAUSE_MS);
    this.#nextAt = now + this.#pauseMs;
    this.#report({ state: 'away', reason: errorMessage(error), failures: this.#failures });
    this.#failures = 0;
  }

  /** Records that a connection is usable again. Reports this if failures were reported before. */
  recovered(): void {
    if (this.#pauseMs === 0) return;
    this.#pauseMs = 0;
    this.#nextAt = 0;
    this.#report({ state: 'back', reason: 'connected', failures: this.#failures });
    this.#failures = 0;
  }
}

/**
 * Returns the message of an error. For an `AggregateError`, returns the message of its first error. Such an error results if every address
 * of a host was tried.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorMessage(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const cause = 'lastNodeError' in error && error.lastNodeError instanceof Error ? `: ${error.lastNodeError.message}` : '';
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
