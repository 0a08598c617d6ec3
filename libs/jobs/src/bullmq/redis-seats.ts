import { randomUUID } from 'node:crypto';
import { HEARTBEAT } from './lua/commands.ts';
import type { ConsumerArguments } from './lua/command.ts';
import type { RedisStore } from './redis-store.ts';

/** Id that represents all consumers on the channel of changes. */
const ALL_CONSUMERS = 'consumers';
/**
 * Minimum change of a consumer's free engine threads that ends an idle interval between heartbeats. The next heartbeat reports the new
 * number.
 */
const NEWS_SEATS = 0.5;

/** Consumer in this process that joined the fleet. */
interface Consumer {
  readonly name: string;
  readonly seats: number;
  /** Returns the number of engine threads that other work currently leaves free. */
  readonly free: () => number;
  /** Number of free engine threads in the last report to other processes. */
  reportedFree: number;
}

/** Engine threads of one consumer, as last reported. */
interface SeatCount {
  readonly name: string;
  readonly seats: number;
  readonly free: number;
}

/** Numbers of engine threads of all processes that share a Redis. Each process reports its own with its heartbeats. */
export class RedisSeats {
  readonly #store: RedisStore;
  readonly #consumers = new Set<Consumer>();
  /** Engine threads of the consumers in other processes at the last count. */
  #elsewhere: readonly SeatCount[] = [];

  constructor(store: RedisStore) {
    this.#store = store;
    store.announcements.onChange(ALL_CONSUMERS, () => store.stirred.notify());
  }

  /** Number of engine threads of all processes together, as last reported. */
  get total(): number {
    const own = [...this.#consumers].reduce((sum, { seats }) => sum + seats, 0);
    return this.#elsewhere.reduce((sum, { seats }) => sum + seats, own);
  }

  /** Returns the number of engine threads in other processes that are free, as last reported. */
  freeSeatsElsewhere(): number {
    this.#countSoon();
    return Math.round(this.#elsewhere.reduce((sum, { free }) => sum + free, 0));
  }

  /** Returns the number of engine threads of each consumer in another process, as last reported. */
  seatsElsewhere(): readonly number[] {
    this.#countSoon();
    return this.#elsewhere.map(({ seats }) => seats);
  }

  /**
   * Registers a consumer of this process with its engine threads. `free` returns the number of threads that other work leaves free. Returns
   * a function that removes the consumer.
   */
  async join(seats: number, free = () => seats): Promise<() => Promise<void>> {
    const consumer = { name: randomUUID(), seats, free, reportedFree: seats };
    this.#consumers.add(consumer);
    const { leaseMs, heartbeatMs } = this.#store.limits;
    const watching = setInterval(() => this.#watch(consumer), heartbeatMs).unref();
    await this.#register(consumer, leaseMs);
    return async () => {
      clearInterval(watching);
      this.#consumers.delete(consumer);
      await this.#register(consumer, 0);
    };
  }

  /** Returns the arguments with which a heartbeat reports that the consumers live. The next heartbeat follows in `busyMs` or `idleMs` ms. */
  report(busyMs: number, idleMs: number): readonly ConsumerArguments[] {
    const { leaseMs } = this.#store.limits;
    return [...this.#consumers].map((consumer) => reportOf(consumer, busyMs + leaseMs, idleMs + leaseMs));
  }

  /** Takes over the seats of all consumers, as a heartbeat returned them: name, seats and free seats of each. */
  receiveCounts(words: readonly string[]): void {
    const counts: SeatCount[] = [];
    for (let i = 0; i + 2 < words.length; i += 3)
      counts.push({ name: words[i] ?? '', seats: Number(words[i + 1]) || 0, free: Number(words[i + 2]) || 0 });
    const own = new Set([...this.#consumers].map(({ name }) => name));
    this.#elsewhere = counts.filter(({ name }) => !own.has(name));
  }

  /** Reads the numbers of engine threads that all consumers have reported. */
  async count(): Promise<void> {
    const { redis, keys } = this.#store;
    const [seats, free] = await Promise.all([redis.hgetall(keys.seats), redis.hgetall(keys.freeSeats)]);
    this.receiveCounts(Object.entries(seats).flatMap(([name, count]) => [name, count, free[name] ?? '0']));
  }

  /** Counts the seats within one heartbeat if there are other consumers. An idle process otherwise counts only now and then. */
  #countSoon(): void {
    if (this.#elsewhere.length > 0) this.#store.stirred.notify();
  }

  /** Registers a consumer for `ms` milliseconds, or removes it if `ms` is 0. Other processes count the seats soon. */
  async #register(consumer: Consumer, ms: number): Promise<void> {
    const { redis, keys, scripts } = this.#store;
    await scripts.run(HEARTBEAT, { consumers: [reportOf(consumer, ms)], periodMs: 0, graceMs: 0, stepMs: 0, nonce: randomUUID() });
    await redis.publish(keys.changes, ALL_CONSUMERS);
  }

  /**
   * Checks if the free seats of a consumer changed by at least {@link NEWS_SEATS} since the last report. Such a change ends the idle
   * interval, so that the next heartbeat reports it to other processes.
   */
  #watch({ free, reportedFree }: Consumer): void {
    if (Math.abs(free() - reportedFree) >= NEWS_SEATS) this.#store.stirred.notify();
  }
}

function reportOf(consumer: Consumer, ms: number, idleMs = ms): ConsumerArguments {
  const { name, seats, free } = consumer;
  consumer.reportedFree = Math.min(seats, Math.max(0, free()));
  return { name, seats, free: consumer.reportedFree, ms, idleMs };
}
