import { comparePairs } from './compare-pairs.ts';
import type { PairComparison, TimedPair } from './compare-pairs.ts';
import { samplePairs } from './sample-rounds.ts';
import type { SamplingRules } from './sample-rounds.ts';

/**
 * Two newly created functions that evaluate a rule in the revisions `a` and `b`. Because their code is new, the JavaScript engine optimizes
 * it anew.
 */
export interface Build {
  readonly a: () => void;
  readonly b: () => void;
}

/** Maximum number of builds. With 15 builds, the 95 % confidence interval excludes the three lowest ratios and the three highest ratios. */
const BUILDS = 15;
/** Maximum number of measurements of one build. A build is measured again until the JavaScript engine has optimized it. */
const ATTEMPTS = 4;
/** Factor between the times of a function that is optimized in some way, and of a function that is not optimized at all. */
const UNOPTIMIZED = 2;

/**
 * Compares the run times of two revisions of a rule over several builds. A build is a pair of new functions, one for each revision. Each
 * build counts as one pair of times in the returned comparison.
 *
 * The JavaScript engine optimizes the same function differently from time to time, and then keeps the result. Two builds of one function
 * can therefore differ by 30 % in each of thousands of measurements. Only new builds show that such a difference is chance. Revisions take
 * turns in being optimized first. Builds that the engine did not optimize in time do not count.
 *
 * @param build Builds both revisions anew.
 */
export function compareBuilds(build: () => Build, { now, ms, token }: SamplingRules): PairComparison {
  const begun = now();
  const pairs: TimedPair[] = [];
  for (let built = 0; built < BUILDS; built++) {
    const { a, b } = build();
    let pair: TimedPair | undefined;
    for (let attempt = 0; attempt < ATTEMPTS && (pair === undefined || pairs.length === 0 || !isOptimized(pair, pairs)); attempt++) {
      const left = begun + ms - now();
      if (left <= 0 || token?.cancelled === true) break;
      const rules = { now, ms: Math.min(left, ms / (BUILDS + ATTEMPTS)), token };
      pair = typicalPair(built % 2 === 0 ? sampled(a, b, rules) : sampled(b, a, rules).map((one) => ({ a: one.b, b: one.a }))) ?? pair;
    }
    if (pair === undefined) break;
    pairs.push(pair);
  }
  return comparePairs(pairs.filter((pair) => isOptimized(pair, pairs)));
}

/** Returns true if both times of a pair are within {@link UNOPTIMIZED} times the lowest times of all pairs. */
const isOptimized = (pair: TimedPair, pairs: readonly TimedPair[]): boolean =>
  pair.a <= UNOPTIMIZED * Math.min(...pairs.map(({ a }) => a)) && pair.b <= UNOPTIMIZED * Math.min(...pairs.map(({ b }) => b));

const sampled = (first: () => void, second: () => void, rules: SamplingRules): readonly TimedPair[] =>
  [...samplePairs(first, second, rules)].flat();

/**
 * Returns the pair with the median ratio of the later half of the pairs. In the earlier half, code may not be optimized yet. Returns
 * undefined if there are no pairs.
 */
function typicalPair(pairs: readonly TimedPair[]): TimedPair | undefined {
  const late = pairs.slice(Math.floor(pairs.length / 2)).toSorted((one, other) => one.b / one.a - other.b / other.a);
  return late[(late.length - 1) >> 1];
}
