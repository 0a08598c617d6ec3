import { seededCongruence } from '../../../testing/seeded-random.ts';

/** Random generator with a seed. The same seed leads to the same choices. */
export class Dice {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = seededCongruence(seed);
    // Sequences of neighbouring seeds have similar beginnings, so the first numbers are skipped.
    for (let skipped = 0; skipped < 8; skipped++) this.#next();
  }

  /** Returns a random whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.#next() * below);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from');
    return list[this.below(list.length)] as T;
  }

  /** Returns a random element of the list; undefined if the list is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list);
  }

  /** Returns a random selection of the list's elements, in the same order. Each element is selected with the given probability. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }
}
