import { costGrowth } from '../figures/cost-growth.ts';

/** Limit by which a server ends an evaluation: the limit of one evaluation, or a budget that expressions share. */
export type StoppingLimit = 'limit' | 'budget';

/** Exact cost and predicted time of one request at one size. */
export interface PolicyPoint {
  readonly size: number;
  /** Cost of all expressions in cost units. */
  readonly cost: number;
  /** Predicted CPU time of the policy plugin of a server, in ms. */
  readonly ms: number;
  /** Limit by which a server ends an evaluation at this size; absent if all evaluations end by themselves. */
  readonly stoppedBy?: StoppingLimit;
}

/** Number at which the predicted time of a request passes a bound. */
export interface TimePassed {
  readonly ms: number;
  readonly size: number;
  /** True if the request was judged at this size and at the size that is smaller by one. If false, the size continues the growth. */
  readonly isJudged: boolean;
}

/** Growth of the cost and the time of a request with one size. */
export interface PolicySeries {
  /** Number of parts of the policy that grows, or unit of the size of a list, map or text that grows. */
  readonly grows: 'bindings' | 'parameters' | 'variables' | 'matchConditions' | 'elements' | 'entries' | 'characters';
  /** Name of the copied variable or match condition, or path of the list, map or text. Absent for bindings and parameters. */
  readonly name?: string;
  /** Parameter object that contains the list, map or text. Absent if the request's object contains it. */
  readonly param?: string;
  readonly points: readonly PolicyPoint[];
  /** Exponent of the growing part of the cost. Absent if the cost does not grow, or if there are too few points. */
  readonly costExponent?: number;
  /** Exponent of the growing part of the predicted time, from the three largest sizes. Absent if there are too few points. */
  readonly timeExponent?: number;
  readonly passes: readonly TimePassed[];
  /** Greatest size at which all evaluations end by themselves, and the limit that the next size exceeds. Absent if it is not known. */
  readonly mayGrowTo?: { readonly size: number; readonly by: StoppingLimit };
  /** True if the time ended before all sizes were judged. */
  readonly isPartial: boolean;
}

/** Cost and predicted time of a request. */
export type PolicyPrice = Pick<PolicyPoint, 'cost' | 'ms'>;

/** Change of a policy that makes requests cheaper, with the figures of both. Both were judged, and their verdicts agree. */
export interface PolicyHelp {
  readonly change: 'merge-bindings' | 'refuse-first' | 'narrow-constraints' | 'share-by-variable';
  /** The change in words. */
  readonly text: string;
  /** Request for which the figures hold. */
  readonly request: string;
  readonly before: PolicyPrice;
  readonly after: PolicyPrice;
}

/** Findings of a study about one policy and one sample request. */
export interface StudiedPolicy {
  readonly kind: string;
  readonly name: string;
  /** Place of the object whose write was judged. Absent if no object was found to which the policy applies. */
  readonly sample?: string;
  /** Number of bindings that match the sample request. */
  readonly bindings?: number;
  readonly price?: PolicyPrice;
  readonly series: readonly PolicySeries[];
  readonly helps: readonly PolicyHelp[];
  /** Parts of the study that were not performed, with the reasons. */
  readonly notStudied: readonly { readonly what: string; readonly reason: string }[];
}

/** Report of a study of admission policies. */
export interface PolicyStudyReport {
  readonly schema: 'assay.dev/policy-study/v1';
  readonly kubernetesVersion: string;
  readonly budgetMs: number;
  /** True if the time ended before all policies were studied, or if a user ended the study. */
  readonly isPartial: boolean;
  readonly policies: readonly StudiedPolicy[];
}

/** Part of the study of one policy, which a thread performs as a whole. */
export const POLICY_CELLS = ['bindings', 'parameters', 'variables', 'matchConditions', 'sizes', 'helps'] as const;
export type PolicyCell = (typeof POLICY_CELLS)[number];

/** Findings of one part of the study of a policy. */
export interface PolicyCellFindings extends Pick<StudiedPolicy, 'series' | 'helps' | 'notStudied'> {
  /** Number of bindings that match the request, and its price. Absent if the policy does not apply to the request. */
  readonly applies?: { readonly bindings: number } & PolicyPrice;
  /** True if the time ended before this part of the study was complete. */
  readonly isPartial: boolean;
}

/** Predicted times of a request, in ms, whose sizes are reported. */
export const REPORTED_MS = [100, 1000] as const;
/** Greatest size to which the growth of a time is continued beyond the judged sizes. */
const MAX_SIZE = 100_000;

/** Returns the exponents of cost and time of a series, and the sizes at which its time passes {@link REPORTED_MS}. */
export function seriesFigures(points: readonly PolicyPoint[]): Pick<PolicySeries, 'costExponent' | 'timeExponent' | 'passes'> {
  const growing = points.filter(({ stoppedBy }) => stoppedBy === undefined);
  const growth = costGrowth(growing);
  const timeExponent = lastExponent(growing);
  return {
    ...(growth.kind === 'grows' && { costExponent: growth.exponent }),
    ...(timeExponent !== undefined && { timeExponent }),
    passes: REPORTED_MS.flatMap((ms) => passed(growing, ms) ?? []),
  };
}

/**
 * Returns the exponent k of the time a + b·nᵏ, from the three largest sizes. Returns undefined if there are fewer sizes, or if the time
 * does not rise.
 */
function lastExponent(points: readonly PolicyPoint[]): number | undefined {
  const [first, second, third] = points.slice(-3);
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const rise = (third.ms - second.ms) / (second.ms - first.ms);
  if (!(rise > 0) || !Number.isFinite(rise)) return undefined;
  const at = (k: number): number => (third.size ** k - second.size ** k) / (second.size ** k - first.size ** k);
  let [low, high] = [0.01, 6];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (at(middle) < rise) low = middle;
    else high = middle;
  }
  const whole = Math.round(low);
  return Math.abs(low - whole) < WHOLE ? whole : low;
}

/** Distance from a whole exponent that is an error of rounding. */
const WHOLE = 1e-4;

/**
 * Returns the size at which the time passes a bound, on the line or power through the judged sizes around it. Undefined if the time does
 * not rise there, or if the size would be too large.
 */
function passed(points: readonly PolicyPoint[], ms: number): TimePassed | undefined {
  const after = points.findIndex((point) => point.ms > ms);
  if (after === 0) return points[0] && { ms, size: points[0].size, isJudged: true };
  const [a, b] = after < 0 ? points.slice(-2) : [points[after - 1], points[after]];
  if (a === undefined || b === undefined || b.ms <= a.ms || b.size <= a.size) return undefined;
  const size = Math.ceil(
    (1 - ROUNDING) * (after < 0 ? extrapolated(points, ms) : a.size + ((ms - a.ms) / (b.ms - a.ms)) * (b.size - a.size)),
  );
  return size > MAX_SIZE ? undefined : { ms, size, isJudged: false };
}

/** Share of a size that is an error of rounding. */
const ROUNDING = 1e-9;

/** Continues the growth of the last sizes up to a time. */
function extrapolated(points: readonly PolicyPoint[], ms: number): number {
  const [a, b] = points.slice(-2);
  if (a === undefined || b === undefined) return Infinity;
  const k = lastExponent(points) ?? 1;
  const slope = (b.ms - a.ms) / (b.size ** k - a.size ** k);
  return ((ms - b.ms) / slope + b.size ** k) ** (1 / k);
}
