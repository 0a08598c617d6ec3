import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../testing/seeded-random.ts';

/** The length of a run: `smallest` tries that everything works, `quick` is for a first look, `full` for figures worth keeping. */
export type Thoroughness = 'smallest' | 'quick' | 'full';

/** A figure for each thoroughness. Without a figure of its own, the smallest run takes the quick run's. */
export interface Choice<T> {
  readonly smallest?: T;
  readonly quick: T;
  readonly full: T;
}

/** Returns the figure for a thoroughness. */
export function figureFor<T>(thoroughness: Thoroughness, { smallest, quick, full }: Choice<T>): T {
  if (thoroughness === 'smallest') return smallest ?? quick;
  return thoroughness === 'quick' ? quick : full;
}

/** The settings of a lab. */
export interface LabOptions {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  /** Raised when the run is to end: by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The longest time of the experiment, ms; the lab leaves out later steps. */
  readonly capMs: number;
  readonly say: (progress: string) => void;
}

/** The surroundings of an experiment: its thoroughness, its random numbers, and its end. */
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

  /** The figure for this run's thoroughness. */
  of<T>(choice: Choice<T>): T {
    return figureFor(this.thoroughness, choice);
  }

  /** True if the experiment is to end now with the figures it has. */
  get over(): boolean {
    return this.signal.aborted || performance.now() > this.#until;
  }

  /** The number of steps that `each` left out because the lab was over. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Yields items one after the other as long as the lab is open. Yields the first one also when the time is over, so that a busy machine
   * measures less and not nothing. Between items the process hears signals.
   */
  async *each<T>(items: Iterable<T>): AsyncGenerator<T> {
    let isFirst = true;
    for (const item of items) {
      await setImmediate();
      if (isFirst ? this.signal.aborted : this.over) this.#leftOut += 1;
      else yield item;
      isFirst = false;
    }
  }
}
