import { randomUUID } from 'node:crypto';
import type { QueueLimits } from '../limits.ts';
import { Listeners } from '../listeners.ts';
import type { EndedJob } from '../ports.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { Announcements } from './announcements.ts';
import type { Connection, RedisConnections } from './connections.ts';
import { Keys } from './keys.ts';
import { PROBE } from './lua/commands.ts';
import { ScriptRunner } from './run-script.ts';
import { StorageGate } from './storage-gate.ts';

/** Parts from which a `RedisStore` is built. */
type StoreParts = Pick<RedisStore, 'redis' | 'announcements' | 'keys' | 'limits'> & {
  readonly sealing?: Sealing | undefined;
  /** Called with the names of damaged keys and the ids of jobs that were lost, after they were repaired. */
  readonly repaired?: ((names: readonly string[]) => void) | undefined;
};

/** Data and services that all ports over one Redis share: connection, key names, scripts, messages, and the id of this process. */
export class RedisStore {
  readonly keys: Keys;
  readonly limits: QueueLimits;
  readonly redis: Connection;
  readonly scripts: ScriptRunner;
  readonly announcements: Announcements;
  readonly sealing: Sealing;
  /**
   * Gate that client requests must pass, so that they fail fast if Redis is unavailable. The work on jobs does not use the gate, and waits for
   * the server.
   */
  readonly gate: StorageGate;
  /** Listeners to the ends of all jobs, with the ids under which they are stored. */
  readonly ended = new Listeners<[ended: EndedJob]>();
  /** Listeners that are called when this process starts to handle a job. They end the long interval between idle heartbeats. */
  readonly stirred = new Listeners<[]>();
  /** Unique name of this process. It identifies the process that takes tokens of shared rate limits, and that offers tasks. */
  readonly process = randomUUID();

  constructor({ redis, announcements, keys, limits, sealing = new Sealing(), repaired }: StoreParts) {
    this.redis = redis;
    this.announcements = announcements;
    this.keys = keys;
    this.limits = limits;
    this.sealing = sealing;
    this.scripts = new ScriptRunner(redis, keys.prefix, repaired);
    this.gate = new StorageGate(() => this.probe());
  }

  /**
   * Creates a store that opens two connections from `connections`: one for commands and one for messages. The owner of `connections` must
   * close them.
   */
  static over(
    connections: RedisConnections,
    namespace: string,
    limits: QueueLimits,
    sealing?: Sealing,
    repaired?: StoreParts['repaired'],
  ): RedisStore {
    const keys = new Keys(namespace);
    const announcements = new Announcements(connections, keys);
    return new RedisStore({ redis: connections.open('commands'), announcements, keys, limits, sealing, repaired });
  }

  /** Writes a small value by a script, to test if Redis accepts writes. */
  async probe(): Promise<void> {
    await this.scripts.run(PROBE, {});
  }

  /** Wakes all callers that wait for a change, and closes the connection for messages. */
  close(): void {
    this.announcements.close();
  }
}
