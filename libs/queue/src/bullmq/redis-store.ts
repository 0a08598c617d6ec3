import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import type { QueueLimits } from '../limits.ts';
import { Listeners } from '../listeners.ts';
import type { DetachedEnd } from '../ports.ts';
import { Announcements } from './announcements.ts';
import { Keys } from './keys.ts';
import { HEARTBEAT } from './lua/commands.ts';
import { ScriptRunner } from './run-script.ts';

/** What the ports over one Redis share: the connection, names, scripts, messages, and who this process is. */
export class RedisStore {
  readonly keys: Keys;
  readonly limits: QueueLimits;
  readonly redis: Redis;
  readonly scripts: ScriptRunner;
  readonly announcements: Announcements;
  readonly ended = new Listeners<[end: DetachedEnd]>();
  /** This process, as the one that serves evaluations which clients wait for. */
  readonly process = randomUUID();
  #serves = false;

  constructor(redis: Redis, announcements: Announcements, keys: Keys, limits: QueueLimits) {
    this.redis = redis;
    this.announcements = announcements;
    this.keys = keys;
    this.limits = limits;
    this.scripts = new ScriptRunner(redis, keys.prefix);
  }

  /** Over connections of its own. */
  static connect(url: string, namespace: string, limits: QueueLimits): RedisStore {
    const keys = new Keys(namespace);
    const redis = new Redis(url, { maxRetriesPerRequest: 20 });
    // Lost connections are reported as errors; ioredis reconnects, and readiness tells whether the queue answers.
    redis.on('error', () => undefined);
    return new RedisStore(redis, new Announcements(url, keys), keys, limits);
  }

  /** From now on this process sends heartbeats. */
  serve(): string {
    this.#serves = true;
    return this.process;
  }

  /** Tells listeners, so many times, how detached evaluations ended. */
  tell(end: DetachedEnd, times = 1): void {
    for (let i = 0; i < times; i++) this.ended.tell(end);
  }

  /** Says that this process serves for so long, ms; 0: it ends. */
  async sendHeartbeat(ms: number): Promise<void> {
    if (this.#serves) await this.scripts.run(HEARTBEAT, { process: this.process, ms });
  }

  /** Says that this process ends: others need not find out by missing heartbeats. Where the server does not answer, they have to. */
  leave(): void {
    if (this.redis.status === 'ready') void this.sendHeartbeat(0).catch(() => undefined);
  }

  /** Ends all connections. */
  close(): void {
    this.announcements.close();
    this.redis.disconnect();
  }
}
