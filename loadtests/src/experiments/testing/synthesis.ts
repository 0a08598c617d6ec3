import { seededRandom, shuffled } from '../../../../testing/seeded-random.ts';

/** Treatment of a part of synthetic data: the synthesis keeps it, removes it, reduces it to one sample, or sets its figures to 0. */
export type Removal = 'kept' | 'removed' | 'one sample' | 'zero';

/** Function that decides about a part of the data by its number, in the order in which parts are created. */
export type Decision = (part: number) => Removal;

/** Decision that keeps all parts. */
export const nothingMissing: Decision = () => 'kept';

/** Decision that removes all parts. */
export const allMissing: Decision = () => 'removed';

/**
 * Returns a decision that changes half of the parts at random. The decision removes such a part or reduces it to one sample. If `zeros` is
 * true, it may also set the durations of a part to 0.
 */
export function someMissing(seed: number, zeros: boolean): Decision {
  const random = seededRandom(seed);
  const removals: readonly Removal[] = zeros ? ['removed', 'one sample', 'zero'] : ['removed', 'one sample'];
  return () => (random() < 0.5 ? 'kept' : (removals[Math.floor(random() * removals.length)] ?? 'removed'));
}

/**
 * Generator of data for experiments from a seed. Removed parts do not change the figures of other parts. Each part has a different sequence
 * of three digits with which its figures begin, so that a figure in a text identifies its part.
 */
export class Synthesis {
  readonly #decision: Decision;
  readonly #leading: number[];
  #parts = 0;

  constructor(seed: number, decision: Decision) {
    this.#decision = decision;
    this.#leading = shuffled(
      Array.from({ length: 899 }, (_, i) => 101 + i),
      seededRandom(seed),
    );
  }

  /** Number of parts that were created so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Returns a figure between 1 and 10 times `scale`. The figure is never missing. It is 0 if the decision for its part is `zero`. */
  figure(scale: number): number {
    const value = this.#value(scale);
    return this.#decide() === 'zero' ? 0 : value;
  }

  /** Returns the samples of one part. The samples differ so little that all of them are formatted as the same text. */
  samples(scale: number, count = 12): number[] {
    const value = this.#value(scale);
    const samples = Array.from({ length: count }, (_, i) => value * (1 + i * 1e-6));
    switch (this.#decide()) {
      case 'kept':
        return samples;
      case 'removed':
        return [];
      case 'one sample':
        return samples.slice(0, 1);
      case 'zero':
        return samples.map(() => 0);
    }
  }

  /** Returns `value`, or undefined if its part is removed. */
  maybe<T>(value: T): T | undefined {
    return this.#decide() === 'removed' ? undefined : value;
  }

  /** Creates a value for each item, and leaves out the values whose parts are removed. */
  some<I, T>(items: readonly I[], make: (item: I) => T): T[] {
    return items.map((item) => this.maybe(make(item))).filter((made) => made !== undefined);
  }

  #value(scale: number): number {
    const leading = this.#leading.pop();
    if (leading === undefined) throw new Error('there are no more figures that begin differently');
    return (leading / 100) * scale;
  }

  #decide(): Removal {
    return this.#decision(this.#parts++);
  }
}
