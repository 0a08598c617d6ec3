import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../testing/seeded-random.ts';

/**
 * Extent of a run: `smallest` only checks that everything works, `quick` gives a first impression, and `full` gives figures for
 * publication.
 */
export type Thoroughness = 'smallest' | 'quick' | 'full';

/** Value for each thoroughness. If `smallest` is absent, the smallest run uses the value of the quick run. */
export interface ByThoroughness<T> {
  readonly smallest?: T;
  readonly quick: T;
  readonly full: T;
}

/** Returns the figure for a thoroughness. */
export function figureFor<T>(thoroughness: Thoroughness, { smallest, quick, full }: ByThoroughness<T>): T {
  if (thoroughness === 'smallest') return smallest ?? quick;
  return thoroughness === 'quick' ? quick : full;
}

/** The settings of a lab. */
export interface LabOptions {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  /** Signal that ends the run. It is aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Longest time of the experiment in ms. After this time, the lab skips all remaining steps. */
  readonly capMs: number;
  readonly say: (progress: string) => void;
}

/** Environment of an experiment: its thoroughness, its random numbers and its time limit. */
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

  /** Returns the value for this run's thoroughness. */
  of<T>(choice: ByThoroughness<T>): T {
    return figureFor(this.thoroughness, choice);
  }

  /** True if the experiment must end now and use the figures that it has measured so far. */
  get over(): boolean {
    return this.signal.aborted || performance.now() > this.#until;
  }

  /** Number of steps that `each` left out because the run was stopped or the time of the experiment was over. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Yields items one after another until the run is stopped or the time is over. Yields the first item even if the time is over, so that a
   * busy machine still measures something. Between items, the process can handle signals.
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
