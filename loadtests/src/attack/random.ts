import { seededRandom } from '../../../testing/seeded-random.ts';

/** Random choices: the same ones for the same seed. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** A whole number from 0 up to (not including) a bound. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound);
  }

  /** One of some, of which there is at least one. */
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** Makes so many values, one after the other. */
  some<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }
}
