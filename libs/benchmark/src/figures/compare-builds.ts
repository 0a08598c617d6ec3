import { comparePairs } from './compare-pairs.ts';
import type { PairComparison, TimedPair } from './compare-pairs.ts';
import { samplePairs } from './sample-rounds.ts';
import type { SamplingRules } from './sample-rounds.ts';

/** Two functions that do the work of the revisions `a` and `b`. The code of both is new, so the JavaScript engine optimizes it anew. */
export interface Build {
  readonly a: () => void;
  readonly b: () => void;
}

/** Number of builds. With 15 builds, the 95 % confidence interval excludes the three lowest ratios and the three highest ratios. */
const BUILDS = 15;

/**
 * Compares two revisions over several builds, and returns the comparison of the builds. Each build counts as one pair.
 *
 * The JavaScript engine optimizes the same function differently from time to time, and then keeps the result. Two builds of one function
 * can therefore differ by 30 % in each of thousands of pairs. More pairs of these two builds do not show that this is chance, but new builds
 * do. Revisions take turns in being optimized first.
 *
 * @param build Builds both revisions anew.
 */
export function compareBuilds(build: () => Build, { now, ms, token }: SamplingRules): PairComparison {
  const begun = now();
  const pairs: TimedPair[] = [];
  for (let built = 0; built < BUILDS; built++) {
    const left = begun + ms - now();
    if (left <= 0 || token?.cancelled === true) break;
    const { a, b } = build();
    const rules = { now, ms: left / (BUILDS - built), token };
    pairs.push(...typicalPair(built % 2 === 0 ? sampled(a, b, rules) : sampled(b, a, rules).map((pair) => ({ a: pair.b, b: pair.a }))));
  }
  return comparePairs(pairs);
}

const sampled = (first: () => void, second: () => void, rules: SamplingRules): readonly TimedPair[] =>
  [...samplePairs(first, second, rules)].flat();

/**
 * Returns the pair with the median ratio of the later half of the pairs, as a list of at most one pair. In the earlier half, code may not
 * be optimized yet.
 */
function typicalPair(pairs: readonly TimedPair[]): readonly TimedPair[] {
  const late = pairs.slice(Math.floor(pairs.length / 2)).toSorted((one, other) => one.b / one.a - other.b / other.a);
  return late.slice((late.length - 1) >> 1).slice(0, 1);
}
