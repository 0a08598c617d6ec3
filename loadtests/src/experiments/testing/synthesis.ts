import { seededRandom, shuffled } from '../../../../testing/seeded-random.ts';

/** The state of a part of synthetic data that may be missing. */
export type Removal = 'kept' | 'removed' | 'one sample' | 'zero';

/** Decides by the number of a part, in the order in which parts are made. */
export type Decision = (part: number) => Removal;

/** Everything is there. */
export const nothingMissing: Decision = () => 'kept';

/** Nothing is there. */
export const allMissing: Decision = () => 'removed';

/** Returns data whose parts lack something in half of the cases, at random; `zeros`: durations of 0 occur, too. */
export function someMissing(seed: number, zeros: boolean): Decision {
  const random = seededRandom(seed);
  const removals: readonly Removal[] = zeros ? ['removed', 'one sample', 'zero'] : ['removed', 'one sample'];
  return () => (random() < 0.5 ? 'kept' : (removals[Math.floor(random() * removals.length)] ?? 'removed'));
}

/**
 * Makes data of experiments by seed. Figures do not depend on removed parts. The figures of each part begin with their own three digits, so that a
 * figure in a text shows its part.
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

  /** The number of parts so far. */
  get parts(): number {
    return this.#parts;
  }

  /** A figure that is never missing, though it may be 0 where durations may; between 1 and 10 times `scale`. */
  figure(scale: number): number {
    const value = this.#value(scale);
    return this.#decide() === 'zero' ? 0 : value;
  }

  /** Samples of one part, so near to each other that all are written alike. */
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

  /** Something that may be missing as a whole. */
  maybe<T>(value: T): T | undefined {
    return this.#decide() === 'removed' ? undefined : value;
  }

  /** Things each of which may be missing; all of them are made. */
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
