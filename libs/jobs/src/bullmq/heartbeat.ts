import { randomUUID } from 'node:crypto';
import { steadyNow } from '#documents';
import type { EndedJob } from '../ports.ts';
import { HEARTBEAT } from './lua/commands.ts';
import { namedJobs } from './redis-lines.ts';
import type { RedisLines } from './redis-lines.ts';
import type { RedisSeats } from './redis-seats.ts';
import type { RedisStore } from './redis-store.ts';

/**
 * Time in ms between the deadline of a job and its cancellation by a heartbeat. During this time, the process that performs the job may still
 * store results.
 */
const DEADLINE_GRACE_MS = 10_000;

/** Time in ms after a step of a submission at which a job that is not whole is cancelled. A step that fails is not repeated for so long. */
const STEP_MS = 60_000;

/** Factor by which the interval between heartbeats grows while no job lives. */
const IDLE_BEATS = 10;

/**
 * Heartbeats of a process. Each reports the seats of the process and repairs the stored state, unless another process just did. It tells
 * which jobs ended without a reply to another call, and which jobs BullMQ does not have.
 */
export class Heartbeat {
  readonly #store: RedisStore;
  readonly #seats: RedisSeats;
  readonly #lines: Pick<RedisLines, 'add' | 'serveLines'>;
  readonly #stopListening: () => void;
  /** Timer of the next heartbeat, and the time in ms at which it fires, by the steady clock. Undefined if no heartbeat is scheduled. */
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isClosed = false;
  /** True if no job lived at the last heartbeat. */
  #isIdle = false;

  constructor(store: RedisStore, seats: RedisSeats, lines: Pick<RedisLines, 'add' | 'serveLines'>) {
    this.#store = store;
    this.#seats = seats;
    this.#lines = lines;
    this.#stopListening = store.stirred.add(() => this.#beatWithin(store.limits.heartbeatMs));
    this.#beatWithin(store.limits.heartbeatMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    clearTimeout(this.#next?.timer);
  }

  /** Schedules a heartbeat in `ms` milliseconds, unless an earlier heartbeat is already scheduled. */
  #beatWithin(ms: number): void {
    const at = steadyNow() + ms;
    if (this.#isClosed || (this.#next && this.#next.at <= at)) return;
    clearTimeout(this.#next?.timer);
    this.#next = { at, timer: setTimeout(() => void this.#beatAgain(), ms).unref() };
  }

  async #beatAgain(): Promise<void> {
    // New work during this heartbeat must be able to schedule the next one, even if this one finds nothing to do.
    this.#next = undefined;
    this.#isIdle = await this.#beat().catch(() => false);
    this.#beatWithin(this.#intervalMs);
  }

  get #intervalMs(): number {
    const { heartbeatMs } = this.#store.limits;
    return this.#isIdle ? IDLE_BEATS * heartbeatMs : heartbeatMs;
  }

  /** Performs one heartbeat. Returns true if no job lives. */
  async #beat(): Promise<boolean> {
    const { heartbeatMs } = this.#store.limits;
    const answer = await this.#store.scripts.run(HEARTBEAT, {
      consumers: this.#seats.report(heartbeatMs, IDLE_BEATS * heartbeatMs),
      periodMs: Math.round(0.9 * this.#intervalMs),
      graceMs: DEADLINE_GRACE_MS,
      stepMs: STEP_MS,
      nonce: randomUUID(),
    });
    const [living, , ends, named, lines, seats] = answer as readonly unknown[];
    for (const ended of endedOf(wordsOf(ends))) this.#store.ended.notify(ended);
    this.#seats.receiveCounts(wordsOf(seats));
    this.#lines.serveLines(wordsOf(lines));
    void this.#lines.add(namedJobs(wordsOf(named)));
    return Number(living) === 0;
  }
}

const wordsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Returns the ended jobs from an answer of the Lua script `heartbeat`. In this answer, each id is followed by the kind of its end. */
function endedOf(words: readonly string[]): readonly EndedJob[] {
  return words.flatMap((id, i) => (i % 2 === 0 ? [{ id, end: words[i + 1] === 'cancelled' ? 'cancelled' : 'lost' }] : []));
}
