import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { ConnectionTroubles } from './connection-troubles.ts';
import type { RedisTrouble } from './connection-troubles.ts';
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
