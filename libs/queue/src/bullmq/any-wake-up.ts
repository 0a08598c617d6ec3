import type { WakeUps } from './wake-ups.ts';

/** What is waited for at each queue. */
type Waking = Pick<WakeUps, 'add' | 'take'>;

/**
 * Waits for a wake-up of any of several queues. At each queue one taking is under way, whoever waits; it outlives them by a second at most. A wake-up
 * that comes when nobody waits any more is given back, for consumers of other processes.
 */
export class AnyWakeUp {
  readonly #queues: readonly Waking[];
  readonly #underWay = new Set<Waking>();
  readonly #waiting = new Set<(queue?: number) => void>();
  readonly #ended = new AbortController();

  constructor(queues: readonly Waking[]) {
    this.#queues = queues;
  }

  /** Resolves with the number of the queue that a wake-up came from; undefined: `signal` was aborted. */
  async wait(signal: AbortSignal): Promise<number | undefined> {
    if (signal.aborted) return undefined;
    const woken = new Promise<number | undefined>((resolve) => {
      const wake = (queue?: number): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', aborted);
        resolve(queue);
      };
      const aborted = (): void => wake();
      this.#waiting.add(wake);
      signal.addEventListener('abort', aborted, { once: true });
    });
    for (const [i, queue] of this.#queues.entries()) if (!this.#underWay.has(queue)) void this.#take(queue, i);
    return woken;
  }

  /** Nothing is taken any more. */
  close(): void {
    this.#ended.abort();
  }

  /** As long as somebody waits; one of them gets it. */
  async #take(queue: Waking, i: number): Promise<void> {
    this.#underWay.add(queue);
    while (this.#waiting.size > 0 && !this.#ended.signal.aborted) {
      if (!(await queue.take(this.#ended.signal))) continue;
      const [wake] = this.#waiting;
      if (wake) wake(i);
      else await queue.add().catch(() => undefined);
    }
    this.#underWay.delete(queue);
  }
}
