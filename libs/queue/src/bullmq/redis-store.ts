import { randomUUID } from 'node:crypto';
import { steadyNow } from '#evaluation';
import type { QueueLimits } from '../limits.ts';
import { Listeners } from '../listeners.ts';
import type { EndedEvaluation } from '../ports.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { Announcements } from './announcements.ts';
import type { Connection, RedisConnections } from './connections.ts';
import { Keys } from './keys.ts';
import { CHECK_CLAIMS, HEARTBEAT, PROBE } from './lua/commands.ts';
import { ScriptRunner } from './run-script.ts';
import { StorageGate } from './storage-gate.ts';

/** A check of claims counts for so long, ms. */
const CHECKED_MS = 400;

/** The parts that a store is made of. */
type StoreParts = Pick<RedisStore, 'redis' | 'announcements' | 'keys' | 'limits'> & { readonly sealing?: Sealing | undefined };

/** Everything that ports over one Redis share: connection, names, scripts, messages, and the id of this process. */
export class RedisStore {
  readonly keys: Keys;
  readonly limits: QueueLimits;
  readonly redis: Connection;
  readonly scripts: ScriptRunner;
  readonly announcements: Announcements;
  readonly sealing: Sealing;
  /** Requests of clients pass it first; consumers wait for the server instead. */
  readonly gate: StorageGate;
  readonly ended = new Listeners<[ended: EndedEvaluation]>();
  /** Told when this process has something to do with an evaluation: idle times end. */
  readonly stirred = new Listeners<[]>();
  /** The name of this process, which serves evaluations that clients wait for, and takes tokens. */
  readonly process = randomUUID();
  #serves = false;
  #check: { readonly at: number; readonly done: Promise<unknown> } | undefined;

  constructor({ redis, announcements, keys, limits, sealing = new Sealing() }: StoreParts) {
    this.redis = redis;
    this.announcements = announcements;
    this.keys = keys;
    this.limits = limits;
    this.sealing = sealing;
    this.scripts = new ScriptRunner(redis, keys.prefix);
    this.gate = new StorageGate(() => this.probe());
  }

  /** Over two of these connections, which whoever made them ends. */
  static over(connections: RedisConnections, namespace: string, limits: QueueLimits, sealing?: Sealing): RedisStore {
    const keys = new Keys(namespace);
    const announcements = new Announcements(connections, keys);
    return new RedisStore({ redis: connections.open('commands'), announcements, keys, limits, sealing });
  }

  /** From now on this process sends heartbeats. */
  serve(): string {
    this.#serves = true;
    return this.process;
  }

  /** Writes a little, as evaluations would be. */
  async probe(): Promise<void> {
    await this.scripts.run(PROBE, { ttlMs: this.limits.servingMs });
  }

  /** Says that this process serves for so long, ms; 0: it ends. */
  async sendHeartbeat(ms: number): Promise<void> {
    if (this.#serves) await this.scripts.run(HEARTBEAT, { process: this.process, ms });
  }

  /** Says that this process ends. Otherwise, others notice it when heartbeats are missing. */
  async leave(): Promise<void> {
    if (this.redis.status === 'ready') await this.sendHeartbeat(0).catch(() => undefined);
  }

  /** Fails where no chunk can be claimed, since others wrote under the names of our keys. All who wait here ask together. */
  async checkClaims(): Promise<void> {
    const now = steadyNow();
    if (this.#check === undefined || now - this.#check.at > CHECKED_MS) this.#check = { at: now, done: this.scripts.run(CHECK_CLAIMS, {}) };
    await this.#check.done;
  }

  /** Lets everyone go who waits for a change. */
  close(): void {
    this.announcements.close();
  }
}
