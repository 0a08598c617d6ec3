import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../testing/seeded-random.ts';

/** How long a run may take: `quick` is for a first look and for CI, `full` for figures worth keeping. */
export type Thoroughness = 'quick' | 'full';

/** What a lab is opened with. */
export interface LabOptions {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  /** Raised when the run is to end: by Ctrl-C. */
  readonly signal: AbortSignal;
  /** How long the experiment may take, ms; what it has not begun by then is left out. */
  readonly capMs: number;
  readonly say: (progress: string) => void;
}

/** What an experiment works with: how thorough to be, what is random, and when to end. */
export class Lab {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
  readonly #until: number;
  #leftOut = 0;

  constructor({ thoroughness, seed, signal, capMs, say }: LabOptions) {
    this.thoroughness = thoroughness;
    this.seed = seed;
    this.random = seededRandom(seed);
    this.signal = signal;
    this.say = say;
    this.#until = performance.now() + capMs;
  }

  /** The figure for a quick run or for a full one. */
  of<T>(choice: Readonly<Record<Thoroughness, T>>): T {
    return choice[this.thoroughness];
  }

  /** Whether to end now, with what there is. */
  get over(): boolean {
    return this.signal.aborted || performance.now() > this.#until;
  }

  /** How many steps of `each` were left out because the lab was over. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Items one after the other as long as the lab is open. Between them the process hears signals. */
  async *each<T>(items: Iterable<T>): AsyncGenerator<T> {
    for (const item of items) {
      await setImmediate();
      if (this.over) this.#leftOut += 1;
      else yield item;
    }
  }
}
