import { PER_CALL_LIMIT, OBJECT_BUDGET } from '#kube';
import type { CancellationToken, JsonObject } from '#go';
import type { CompiledDefinition, LoneRule } from '#crd';
import { planOfObject, objectPlan } from '../values/plan-of-object.ts';
import { REQUEST_BYTES } from '../object/filled-object.ts';
import { allowedSizes, enlargeObject } from '../object/enlarge-object.ts';
import { growObject, isReportable, KEPT_COST_SHARE, polish, repair } from '../object/grow-object.ts';
import type { JudgedObject } from '../object/ascent.ts';
import type { RepairParts } from '../object/grow-object.ts';
import { WholeObject } from '../object/whole-object.ts';
import type { ObjectTrial, WholeTrial } from '../object/whole-object.ts';
import { costSeries, extendSeries, jointGrowth } from '../search/joint-growth.ts';
import type { CostSeries, JointSeries } from '../search/joint-growth.ts';
import { growAlone } from '../search/grow-alone.ts';
import { dimensionsAbove, withSize, sizeIn } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { RuleProbe, Candidate, Trial } from '../search/rule-probe.ts';
import { searchSmall, searchSpace } from '../search/search-rule.ts';
import type { SearchSpace } from '../search/search-rule.ts';
import type { Climbed } from '../search/climb.ts';
import type { WritingParts } from '../values/write-value.ts';
import { DeadlineToken } from './deadline.ts';
import { findLimit } from './find-limit.ts';
import { boundsThatHold, growthOf, jointGrowthOf, rises, SERIES_LIMIT } from './growth-findings.ts';
import type { CostliestFound, RuleStudy, SizeBound } from './rule-study.ts';

/**
 * Shares of the time limit of a rule at which each phase of its study ends. The phases are, in order: search for small values, repair of
 * their objects, short series of costs, long series, and growth of the objects. Short series are sufficient to determine the growth. The
 * rest of the time is for the smallest sizes at which a cost limit ends a write.
 */
const SHARES = { search: 0.32, repair: 0.56, telling: 0.65, series: 0.72, grow: 0.88 } as const;

/** All rules of one served version of a definition, with the definition and what is needed to write values for its schemas. */
export interface DefinitionRules {
  readonly definition: CompiledDefinition;
  readonly rules: readonly LoneRule[];
  readonly writing: WritingParts;
}

/**
 * Settings of the study of one CEL rule: time limit, clock, random numbers, and the objects with which the search begins. A study is a
 * benchmark that searches for objects that make the rule expensive.
 */
export interface RuleStudySettings {
  /** Time limit for the rule, in ms. */
  readonly ms: number;
  /** Returns the time of a monotonic clock, in ms. */
  readonly now: () => number;
  /** Returns random numbers from 0 up to 1, excluding 1. */
  readonly random: () => number;
  readonly token?: CancellationToken | undefined;
  /** Objects of the user. The search begins with the most expensive accepted object among them. */
  readonly seeds?: readonly JsonObject[];
  /** Writes that were found earlier: for this rule by a shorter study, or for the same rule in another version or revision. */
  readonly hints?: readonly Candidate[];
  /** Suggested bounds. The study lowers them if a server would refuse the most expensive write at all of these bounds together. */
  readonly suggested?: readonly SizeBound[];
  /** Accepted write that was found earlier. The study of the growth starts from this write, and does not search for another write. */
  readonly start?: Candidate | undefined;
}

/**
 * Studies the cost of a rule. First finds the most expensive small value, and an accepted object that contains such a value. Then computes
 * the costs for growing sizes of each field. From these costs, finds the most expensive object, and the size at which a cost limit stops
 * the evaluation of the rule.
 */
export function studyRule(rule: LoneRule, { definition, rules, writing }: DefinitionRules, settings: RuleStudySettings): RuleStudy {
  if (rule.rule.program === undefined) return { kind: 'notStudied', reason: rule.rule.error ?? 'the rule is blank', isPartial: false };
  const { random } = settings;
  const until = deadlines(settings);
  const space = searchSpace(rule, writing);
  const whole = new WholeObject(definition, rule, writing);
  const parts: RepairParts = { whole, rules, studied: rule, writing };
  const given = begunFrom(parts, settings, until(SHARES.repair));
  const climbed = given === undefined ? searchSmall(space, until(SHARES.search), random) : undefined;
  const small = given ?? climbed?.costliest;
  if (small === undefined)
    return {
      kind: 'notStudied',
      reason:
        climbed?.reasons.size === 0
          ? 'the time was over before a value was found'
          : `no value of its node satisfies the schema: ${mostFrequent(climbed?.reasons ?? new Map())}`,
      isPartial: until.wasMissed(),
    };
  const objects = (given ? [given] : climbed ? [...acceptedObjects(parts, climbed, until(SHARES.repair), random)] : []).toSorted(
    costliestFirst,
  );
  const [accepted] = objects;
  const from = accepted?.candidate ?? small.candidate;
  const isReached = given !== undefined && settings.start === undefined;
  return studyGrowth({ space, parts, objects, small: small.candidate, from, isReached }, settings, until);
}

/** Candidates with which the study of the growth begins. */
interface Begun {
  readonly space: SearchSpace;
  readonly parts: RepairParts;
  /** Accepted objects with small sizes, the most expensive first. May be empty. */
  readonly objects: readonly JudgedObject[];
  /** Most expensive small value of the rule's node. An object with this value may be rejected. */
  readonly small: Candidate;
  /** Candidate whose sizes grow: the first of `objects`, or `small` if there are none. */
  readonly from: Candidate;
  /** True if `objects` contains an object of the user. */
  readonly isReached: boolean;
}

/** Determines how the cost grows with the sizes of fields, the most expensive object, and the sizes at which a cost limit ends a write. */
function studyGrowth(
  { space, parts, objects, small, from, isReached }: Begun,
  { hints = [], suggested = [], random }: RuleStudySettings,
  until: Deadlines,
): RuleStudy {
  const { probe, contents } = space;
  const { whole, studied, writing } = parts;
  const { series, joint } = takeSeries(space, from, until);
  const above = dimensionsAbove(studied, writing.schemas);
  const found = objects
    .map(({ candidate }) => costliestObject(candidate, { parts, probe, series, above, random, until }))
    .toSorted(costliestFirst);
  const grown = costliestAmong(parts, hints, { found: found[0], isTaken: isReportable }, until(1));
  const single = series.filter(rises).map(({ dimension }) => dimension);
  const growsWith = [...(joint ? [joint.dimensions] : []), ...single.map((dimension) => [dimension])];
  const rising = allowedSizes(whole, from, single, until(1));
  const shapes = [from, ...hints, ...[grown, ...found.slice(1), ...objects.slice(1)].flatMap((one) => one?.candidate ?? [])] as const;
  const seriesParts = { probe, from, costliest: grown?.candidate ?? from, rising, token: until(1) };
  const endsAt =
    objects.length > 0
      ? findLimit({ whole, shapes, contents, growsWith, rising, above, isReached: isLimited(grown) }, until(1))
      : undefined;
  const checked = [endsAt?.candidate ?? [], grown?.candidate ?? from].flat();
  return {
    kind: 'studied',
    costliest: costliestOf(grown),
    obstacle:
      objects.length > 0 ? obstacleOf(whole.judge({ ...small, plan: objectPlan(studied, small.plan) }, until(1))) : 'no object is accepted',
    endsAt,
    suggested: boundsThatHold(
      { probe, whole, shapes: checked, dimensions: space.dimensions, growsWith, rising, above },
      suggested,
      until(1),
    ),
    growsWith: series.map((one, i) => growthOf(one, seriesParts, i === 0)),
    growsTogether: joint && jointGrowthOf(joint, seriesParts),
    from: objects[0]?.candidate,
    isReached,
    isPartial: until.wasMissed(),
    tries: { evaluations: probe.evaluations, objects: whole.judged },
  };
}

/**
 * Returns the costs along each size, with the steepest growth first, and the costs along several sizes that multiply in the cost. Sizes
 * that are sufficient to determine the growth are evaluated before larger sizes.
 */
function takeSeries({ probe, dimensions }: SearchSpace, from: Candidate, until: Deadlines): SeriesTaken {
  const telling = { costLimit: SERIES_LIMIT, token: until(SHARES.telling) };
  const short = dimensions.map((dimension) => costSeries(probe, from, dimension, telling)).toSorted(steepestFirst);
  const joint = jointGrowth(probe, from, short, telling);
  const limits = { costLimit: SERIES_LIMIT, token: until(SHARES.series) };
  const series = short.map((one) => (rises(one) ? extendSeries(probe, from, one, limits) : one));
  return { series: series.toSorted(steepestFirst), joint };
}

/** Series of costs along single sizes, and a series of costs along several sizes that multiply in the cost. */
interface SeriesTaken {
  readonly series: readonly CostSeries[];
  readonly joint: JointSeries | undefined;
}

/**
 * Returns a function that creates deadlines for shares of the time limit. The function's property `wasMissed` reports whether one of these
 * deadlines cut work short.
 */
function deadlines({ ms, now, token }: RuleStudySettings): Deadlines {
  const begun = now();
  const made: DeadlineToken[] = [];
  const until = (part: number): DeadlineToken => {
    const deadline = new DeadlineToken(now, Math.max(0, begun + part * ms - now()), token);
    made.push(deadline);
    return deadline;
  };
  return Object.assign(until, { wasMissed: () => made.some((deadline) => deadline.wasMissed) });
}

/** Creator of deadlines for shares of a rule's time limit. */
interface Deadlines {
  (part: number): DeadlineToken;
  readonly wasMissed: () => boolean;
}

/**
 * Returns the accepted write with which the study begins. This is the write `start`, which was found earlier. If `start` is absent, it is
 * the most expensive of the user's objects. Returns undefined if none of these writes is accepted and evaluates the rule.
 */
function begunFrom(parts: RepairParts, { start, seeds = [] }: RuleStudySettings, token: CancellationToken): JudgedObject | undefined {
  const { rule, version } = parts.studied;
  const old = rule.usesOldSelf ? 'same' : 'none';
  const likeSeeds = seeds.map((seed): Candidate => ({ plan: planOfObject(seed, version.schema), old }));
  return costliestAmong(parts, start === undefined ? likeSeeds : [start], { isTaken: ({ isAccepted }) => isAccepted }, token);
}

/** Options for the choice of the most expensive write. */
interface Among {
  /** Most expensive object that was found until now. */
  readonly found?: JudgedObject | undefined;
  readonly isTaken: (trial: ObjectTrial) => boolean;
}

/**
 * Returns the most expensive object among the candidates and `found`. A candidate counts if `isTaken` accepts it and the rule was
 * evaluated. Undefined if there is none.
 */
function costliestAmong(
  { whole }: RepairParts,
  candidates: readonly Candidate[],
  { found, isTaken }: Among,
  token: CancellationToken,
): JudgedObject | undefined {
  let costliest = found;
  for (const candidate of candidates) {
    const trial = whole.judge(candidate, token);
    const known = costliest === undefined ? -1 : costOf(costliest);
    if (trial.kind === 'judged' && isTaken(trial) && trial.evaluations > 0 && trial.cost > known) costliest = { candidate, trial };
  }
  return costliest;
}

/**
 * Maximum number of small values that are repaired until their objects are accepted, and maximum number of objects that are enlarged
 * afterwards.
 */
const [STARTS, GROWN] = [8, 5];

/**
 * Yields accepted objects in which the rule is evaluated. The function takes the most expensive small values for which the rule holds. For
 * each of them, it repairs the whole object until the object is accepted.
 */
function* acceptedObjects(parts: RepairParts, climbed: Climbed, token: CancellationToken, random: () => number): Generator<JudgedObject> {
  const starts = climbed.holding.length > 0 ? climbed.holding.slice(0, STARTS) : climbed.costliest === undefined ? [] : [climbed.costliest];
  let found = 0;
  // The first round makes only repairs that keep most of the cost. The second round allows all repairs.
  for (const part of [KEPT_COST_SHARE, 0]) {
    for (const { candidate } of starts) {
      if (token.cancelled || found >= (part === 0 ? 1 : GROWN)) return;
      const repaired = repair(parts, { ...candidate, plan: objectPlan(parts.studied, candidate.plan) }, { part, token, random });
      const isThere = repaired.trial.kind === 'judged' && repaired.trial.isAccepted && repaired.trial.evaluations > 0;
      if (!isThere) continue;
      found += 1;
      yield polish(parts, repaired.candidate, token);
    }
  }
}

const costOf = ({ trial }: JudgedObject): number => (trial.kind === 'judged' ? trial.cost : -1);
const costliestFirst = (a: JudgedObject, b: JudgedObject): number => costOf(b) - costOf(a);

/** Input of {@link costliestObject}, which enlarges accepted objects. */
interface Growing {
  readonly parts: RepairParts;
  readonly probe: RuleProbe;
  readonly series: readonly CostSeries[];
  /** Sizes of lists and maps above the rule's node. */
  readonly above: readonly Dimension[];
  readonly random: () => number;
  readonly until: (part: number) => DeadlineToken;
}

/**
 * Enlarges an accepted object until nothing makes it more expensive. It first grows the value of the rule's node alone, then makes copies
 * of this value, then raises the sizes one by one.
 */
function costliestObject(accepted: Candidate, { parts, probe, series, above, random, until }: Growing): JudgedObject {
  const token = until(SHARES.grow);
  const growing = series.filter(rises).map(({ dimension }) => dimension);
  const limits = { costLimit: PER_CALL_LIMIT, token };
  const from = smallest(parts, accepted, series, token);
  const dearer = growing.length === 0 ? from : growAlone(probe, from, growing, { maxBytes: REQUEST_BYTES, limits });
  const dimensions = [...growing, ...above];
  if (dimensions.length === 0) return { candidate: accepted, trial: parts.whole.judge(accepted, undefined) };
  const wanted = copied(dearer, probe.try(dearer, limits), above, REQUEST_BYTES);
  const grown = growObject(parts, { accepted: from, dearer: wanted, dimensions }, token, random);
  return enlargeObject(parts.whole, grown, { dimensions, maxBytes: REQUEST_BYTES }, token);
}

/**
 * Returns an accepted object in which texts, lists and maps have their minimum size if their size does not affect the cost. The request
 * then has more room for sizes that affect the cost.
 */
function smallest({ whole }: RepairParts, accepted: Candidate, series: readonly CostSeries[], token: CancellationToken): Candidate {
  let best = { candidate: accepted, cost: costOf({ candidate: accepted, trial: whole.judge(accepted, token) }) };
  for (const { dimension } of series.filter((one) => !rises(one))) {
    const least = Math.max(dimension.unit === 'items' || dimension.unit === 'properties' ? 0 : 1, dimension.least);
    if (sizeIn(best.candidate.plan, dimension) <= least) continue;
    const candidate = { ...best.candidate, plan: withSize(best.candidate.plan, dimension, least) };
    const trial = whole.judge(candidate, token);
    if (trial.kind === 'judged' && trial.isAccepted && trial.cost >= best.cost) best = { candidate, cost: trial.cost };
  }
  return best.candidate;
}

/** Returns true if a cost limit ends the write of the object. */
const isLimited = (one: JudgedObject | undefined): boolean => one?.trial.kind === 'judged' && one.trial.limit !== undefined;

const exponentOf = ({ growth }: CostSeries): number => (growth.kind === 'grows' ? growth.exponent : 0);

const steepestFirst = (a: CostSeries, b: CostSeries): number =>
  exponentOf(b) - exponentOf(a) || (b.points.at(-1)?.cost ?? 0) - (a.points.at(-1)?.cost ?? 0);

function costliestOf(found: JudgedObject | undefined): CostliestFound | undefined {
  if (found === undefined || found.trial.kind !== 'judged' || !isReportable(found.trial)) return undefined;
  const { cost, evaluations, bytes, limit } = found.trial;
  return { cost, evaluations, bytes, end: limit ?? 'accepted', candidate: found.candidate };
}

function obstacleOf(trial: WholeTrial): string | undefined {
  if (trial.kind !== 'judged') return trial.kind === 'refused' ? trial.reason : undefined;
  const [first] = trial.obstacles;
  return trial.isAccepted || first === undefined ? undefined : `${first.at}: ${first.rule ?? first.text}`;
}

function mostFrequent(reasons: ReadonlyMap<string, number>): string {
  return [...reasons].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'nothing was tried';
}

/** Approximate number of bytes of JSON that surround each copy of a value. */
const AROUND = 12;

/**
 * Returns a candidate (plan of a generated value) in which the value that the rule checks occurs many times. For this, the function
 * enlarges the lists and maps that enclose the value (`above`), inner ones first. `maxBytes` and the cost budget of an object limit the
 * number of copies. Returns the candidate unchanged if a cost limit stopped the rule, or if the rule was not evaluated.
 */
function copied(candidate: Candidate, trial: Trial, above: readonly Dimension[], maxBytes: number): Candidate {
  if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') return candidate;
  const fitting = Math.floor(maxBytes / (trial.bytes + AROUND));
  let left = Math.max(1, Math.min(fitting, Math.floor(OBJECT_BUDGET / Math.max(1, trial.cost)) + 2));
  let { plan } = candidate;
  for (const dimension of above) {
    const size = Math.max(1, Math.min(dimension.most, left));
    plan = withSize(plan, dimension, size);
    left = Math.ceil(left / size);
  }
  return { ...candidate, plan };
}
