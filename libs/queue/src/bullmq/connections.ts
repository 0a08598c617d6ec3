import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { ConnectionTroubles } from './connection-troubles.ts';
import type { RedisTrouble } from './connection-troubles.ts';
import type { RedisAddress } from './redis-address.ts';

/** A connection to one server or to all nodes of a cluster. */
export type Connection = Redis | Cluster;

/** A command that was not answered for so long fails, ms; longer than a Sentinel's usual fail-over takes. */
const COMMAND_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5000;
/** Pauses between attempts to connect, ms. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

/**
 * The use of a connection. `commands`: each is answered or fails in time. `waiting`: commands wait on the server until something comes, and
 * wait for a server that is away.
 */
export type ConnectionUse = 'commands' | 'waiting';

/** All connections of one queue to one Redis: made alike, their troubles told together, all ended at once. */
export class RedisConnections {
  readonly #address: RedisAddress;
  readonly #troubles: ConnectionTroubles;
  readonly #open = new Set<Connection>();

  constructor(address: RedisAddress, report: (trouble: RedisTrouble) => void = () => undefined) {
    this.#address = address;
    this.#troubles = new ConnectionTroubles(report);
  }

  /** Opens one. It connects by itself, again and again. */
  open(use: ConnectionUse): Connection {
    return this.#watch(
      openConnection(this.#address, use === 'commands' ? { commandTimeout: COMMAND_TIMEOUT_MS } : { maxRetriesPerRequest: null }),
    );
  }

  /** Ends all, whatever they wait for: commands under way fail. */
  close(): void {
    for (const connection of this.#open) connection.disconnect();
  }

  /** Without a listener each error would be a text line on stderr. The copies of connections that BullMQ makes are ours, too. */
  #watch(connection: Connection): Connection {
    this.#open.add(connection);
    connection.on('error', (error: unknown) => this.#troubles.failed(error));
    connection.on('ready', () => this.#troubles.recovered());
    connection.on('end', () => this.#open.delete(connection));
    const duplicate = connection.duplicate.bind(connection) as (...given: unknown[]) => Connection;
    return Object.assign(connection, { duplicate: (...given: unknown[]) => this.#watch(duplicate(...given)) });
  }
}

/** Opens a connection that nobody watches yet. */
export function openConnection(address: RedisAddress, options: RedisOptions): Connection {
  const { username, password, tls } = address;
  const common: RedisOptions = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: retryAfterMs,
    // After a fail-over the master of before says that it is a replica: who is the master now is asked anew, and the command sent there.
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
        // Names in certificates are those of hosts; without TLS, too, a name may be all that is reachable.
        dnsLookup: (host, callback) => callback(null, host),
        ...(options.lazyConnect === true && { lazyConnect: true }),
      });
  }
}

const retryAfterMs = (attempts: number): number => Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_RETRY_MS);
