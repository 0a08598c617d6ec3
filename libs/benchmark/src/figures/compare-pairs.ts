import { estimatePercentile, median } from './quantiles.ts';
import { samplePairs } from './sample-rounds.ts';
import type { SamplingRules } from './sample-rounds.ts';

/**
 * Times of the two revisions `a` and `b`, measured directly one after the other. The unit is ms, or any other unit that both times have.
 */
export interface TimedPair {
  readonly a: number;
  readonly b: number;
}

/**
 * Verdict about revision `b` in comparison with revision `a`. `equal`: any difference is smaller than the least effect that matters.
 * `undecided`: the confidence interval permits more than one verdict.
 */
export type PairVerdict = 'equal' | 'slower' | 'faster' | 'undecided';

/** Result of comparing two revisions by times that were measured in pairs. */
export type PairComparison =
  | {
      readonly kind: 'compared';
      /** Median of the ratios b ÷ a of all pairs. */
      readonly ratio: number;
      /** Lower and upper end of the confidence interval of the ratio b ÷ a. */
      readonly lo: number;
      readonly hi: number;
      readonly verdict: PairVerdict;
      /** Number of pairs that count. A pair counts if both times are above 0. */
      readonly pairs: number;
    }
  /**
   * There are too few pairs: fewer than six. If `error` is less than 0.05, more pairs are needed. `ratio`: the median of b ÷ a, without an
   * interval; undefined without a pair that counts.
   */
  | { readonly kind: 'tooFew'; readonly ratio: number | undefined; readonly pairs: number };

/** Options of {@link comparePairs}, which compares the times of two revisions by pairs of measurements. */
export interface PairRules {
  /** Smallest effect that matters, as a share: 0.1 (the default) for 10 %. */
  readonly minEffect?: number;
  /** Probability that the confidence interval does not contain the true ratio. Default: 0.05. */
  readonly error?: number;
}

/**
 * Compares the times of two revisions `a` and `b`, which were measured in pairs. The verdict is `slower` if the whole confidence interval
 * of the ratio b ÷ a is above 1 + `minEffect`. It is `equal` if the whole interval is between 1 ÷ (1 + `minEffect`) and 1 +
 * `minEffect`. Each verdict is therefore wrong in at most the share `error` of all comparisons.
 *
 * The compared ratio is the median of the ratios of all pairs. Other work on the machine that slows several consecutive pairs cancels out
 * within each pair. A short interruption of one measurement changes one ratio much, but hardly changes the median. The ends of the interval
 * are order statistics, so the interval assumes no distribution. Callers must measure in the order a b b a. A steady change of speed within
 * pairs then raises as many ratios as it lowers.
 */
export function comparePairs(pairs: readonly TimedPair[], { minEffect = 0.1, error = 0.05 }: PairRules = {}): PairComparison {
  const ratios = pairs.flatMap(({ a, b }) => (a > 0 && b > 0 && Number.isFinite(b / a) ? [b / a] : []));
  const estimate = estimatePercentile(ratios, { p: 50, error });
  if (estimate.kind === 'tooFew') return { kind: 'tooFew', ratio: median(ratios), pairs: ratios.length };
  const { value, lo, hi } = estimate;
  return { kind: 'compared', ratio: value, lo, hi, verdict: verdictOf(lo, hi, 1 + minEffect), pairs: ratios.length };
}

function verdictOf(lo: number, hi: number, bound: number): PairVerdict {
  if (lo > bound) return 'slower';
  if (hi < 1 / bound) return 'faster';
  return lo > 1 / bound && hi < bound ? 'equal' : 'undecided';
}

/** Result of comparing two exact costs. */
export interface CostComparison {
  /** Ratio b ÷ a. It is 1 if both costs are 0, and undefined if only `a` is 0. */
  readonly ratio: number | undefined;
  /** Verdict about cost `b` in comparison with cost `a`. Every difference counts, unless a least effect was given. */
  readonly verdict: 'equal' | 'dearer' | 'cheaper';
}

/**
 * Compares two exact costs. One cost of each revision is sufficient, because exact costs do not vary by chance.
 *
 * @param minEffect Smallest effect that matters, as a share. An effect of exactly this size matters.
 */
export function compareCosts(a: number, b: number, minEffect = 0): CostComparison {
  const ratio = a === b ? 1 : a === 0 ? undefined : b / a;
  const [less, more] = a < b ? [a, b] : [b, a];
  const matters = a !== b && more - less >= less * minEffect;
  return { ratio, verdict: !matters ? 'equal' : b > a ? 'dearer' : 'cheaper' };
}

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
