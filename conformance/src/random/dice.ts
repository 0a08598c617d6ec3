import { seededCongruence } from '../../../testing/seeded-random.ts';

/** Choices that are the same for the same seed. */
export class Dice {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = seededCongruence(seed);
    // Sequences of neighbouring seeds begin alike.
    for (let skipped = 0; skipped < 8; skipped++) this.#next();
  }

  /** A whole number from 0 up to, and without, `below`. */
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

  /** One of the list, or undefined from an empty one. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list);
  }

  /** Some of the list, in its order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }
}
