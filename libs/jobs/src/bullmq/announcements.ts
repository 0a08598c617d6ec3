import type { Connection, RedisConnections } from './connections.ts';
import { Listeners } from '../listeners.ts';
import type { Keys } from './keys.ts';

/**
 * Interval in ms at which a process that waits for an evaluation reads its state from Redis. This is needed because the Redis message about
 * a change can be lost.
 */
export const POLL_MS = 500;

/**
 * Subscriber to the Redis messages in which processes announce changes, such as cancelled evaluations or offered tasks. A message names only
 * what changed. A listener that needs the state must read it.
 */
export class Announcements {
  readonly #keys: Keys;
  readonly #subscriber: Connection;
  /** Listeners by channel. */
  readonly #messageListeners = new Map<string, Listeners<[message: string]>>();
  readonly #changeListeners = new Map<string, Set<() => void>>();

  constructor(connections: RedisConnections, keys: Keys) {
    this.#keys = keys;
    this.#subscriber = connections.open('waiting');
    this.#subscriber.on('message', (channel: string, id: string) => this.#onMessage(channel, id));
    // Messages during a lost connection never arrive, so all waiting callers check again.
    this.#subscriber.on('ready', () => this.#wakeAll());
    void this.#subscriber.subscribe(keys.changes).catch(() => undefined);
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.onMessage(this.#keys.cancellations, listener);
  }

  /** Calls `listener` with each message on a channel. Returns a function that removes the listener. */
  onMessage(channel: string, listener: (message: string) => void): () => void {
    const known = this.#messageListeners.get(channel);
    if (known) return known.add(listener);
    const listeners = new Listeners<[message: string]>();
    this.#messageListeners.set(channel, listeners);
    void this.#subscriber.subscribe(channel).catch(() => undefined);
    return listeners.add(listener);
  }

  /**
   * Calls `listener` on each change of the evaluation with this id, and whenever changes may have been missed. Returns a function that
   * removes the listener.
   */
  onChange(id: string, listener: () => void): () => void {
    const listeners = this.#listenersOf(id);
    listeners.add(listener);
    return () => this.#drop(id, listener);
  }

  /** Resolves at the next change of an evaluation, after {@link POLL_MS}, or when `signal` is aborted. */
  nextChange(id: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#drop(id, wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_MS);
      this.#listenersOf(id).add(wake);
      if (signal?.aborted) wake();
      else signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Wakes all waiting listeners and disconnects. No message arrives after this call. */
  close(): void {
    this.#wakeAll();
    this.#subscriber.disconnect();
  }

  #listenersOf(id: string): Set<() => void> {
    const listeners = this.#changeListeners.get(id) ?? new Set();
    this.#changeListeners.set(id, listeners);
    return listeners;
  }

  #drop(id: string, listener: () => void): void {
    const listeners = this.#changeListeners.get(id);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#changeListeners.delete(id);
  }

  #onMessage(channel: string, id: string): void {
    if (channel === this.#keys.changes) for (const wake of this.#changeListeners.get(id) ?? []) wake();
    else this.#messageListeners.get(channel)?.notify(id);
  }

  #wakeAll(): void {
    for (const listeners of this.#changeListeners.values()) for (const wake of listeners) wake();
  }
}
