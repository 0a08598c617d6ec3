import { seededRandom } from '../../../testing/seeded-random.ts';

/** Generator of random choices. The same seed produces the same choices. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** Returns a random integer from 0 up to, but not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound);
  }

  /** Returns a random element of `choices`, which must not be empty. */
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** Calls `make` with each number from 0 up to, but not including, `count`, and returns the values. */
  some<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }
}
