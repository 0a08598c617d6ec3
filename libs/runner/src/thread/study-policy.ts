import { MEASURED_POLICY_MODEL, policyWork, predictPolicyTime, seriesFigures } from '#benchmark';
import type { PolicyCell, PolicyCellFindings, PolicyHelp, PolicyPoint, PolicySeries, TimePassed } from '#benchmark';
import { serverOf } from '#documents';
import { Cancelled } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { compileSubject, growCount, growParts, growSizes, helpfulChanges, probeAt, stopOf } from '#policy';
import type { CompiledSubject, CountGrowth, PolicySubject, SampleRequest, SizedProbe } from '#policy';
import { unpackItems } from '../pack-items.ts';
import type { PolicyStudyWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { JudgingCaches } from './judge-item.ts';
import { readPolicyText } from './policies.ts';

/** Number of growing parts of objects that are reported. Lists come first, then maps, then texts. */
const MAX_PARTS = 8;
/** Greatest size at which a predicted time is confirmed by judging requests. */
const MAX_CONFIRMED = 4096;

/**
 * Studies one aspect of a policy for one sample object. This is the growth with a number of its parts, the growth with the sizes of
 * objects, or changes that help. Ends after `budgetMs`, and then returns the findings so far. Returns no findings if the policy does not
 * apply to the object. Throws `Cancelled` if the token requests cancellation.
 */
export function studyPolicy(work: PolicyStudyWork, caches: JudgingCaches, token: CancellationToken): PolicyCellFindings {
  const until = performance.now() + work.budgetMs;
  const timed: CancellationToken = {
    get cancelled() {
      return token.cancelled || performance.now() > until;
    },
  };
  const study = new CellStudy(timed);
  try {
    study.perform(work, caches);
  } catch (thrown) {
    if (!(thrown instanceof Cancelled) || token.cancelled) throw thrown;
    study.end(work.cell);
  }
  return study.findings();
}

/** Study of one aspect of a policy. It keeps what it found, so that a study that ends early has findings. */
class CellStudy {
  readonly #token: CancellationToken;
  readonly #series: PolicySeries[] = [];
  readonly #helps: PolicyHelp[] = [];
  readonly #notStudied: { readonly what: string; readonly reason: string }[] = [];
  #applies: PolicyCellFindings['applies'];
  #hasEnded = false;

  constructor(token: CancellationToken) {
    this.#token = token;
  }

  findings(): PolicyCellFindings {
    const isPartial = this.#hasEnded || this.#series.some((one) => one.isPartial);
    const found = { series: this.#series, helps: this.#helps, notStudied: this.#notStudied, isPartial };
    return { ...found, ...(this.#applies && { applies: this.#applies }) };
  }

  /** Records that the time ended before the study of `cell` was complete. */
  end(cell: PolicyCell): void {
    this.#hasEnded = true;
    this.#notStudied.push({ what: cell, reason: 'the time ended before all of it was studied' });
  }

  perform(work: PolicyStudyWork, caches: JudgingCaches): void {
    const { cell } = work;
    const prepared = prepare(work, caches, this.#token);
    if (typeof prepared === 'string') {
      this.#notStudied.push({ what: cell, reason: prepared });
      return;
    }
    const { subject, sample, compiled } = prepared;
    const base = probeAt(1, compiled, sample, this.#token);
    if (base.probe.bindings === 0) return;
    const { cost, ms } = pointOf(base);
    this.#applies = { bindings: base.probe.bindings, cost, ms };
    if (cell === 'sizes') return this.#sizes(compiled, sample, base);
    if (cell === 'helps') {
      for (const change of helpfulChanges(subject, sample, this.#token)) this.#helps.push(helpOf(change));
      return;
    }
    const growth = growCount(subject, sample, cell, base.probe, this.#token);
    if (typeof growth === 'string') this.#notStudied.push({ what: cell, reason: growth });
    else this.#count(cell, growth);
  }

  /** Studies the growth with a number of the policy's parts. */
  #count(grows: PolicySeries['grows'], growth: CountGrowth): void {
    const { name } = growth;
    const series = this.#points({ grows, ...(name !== undefined && { name }) }, growth.sizes);
    const confirmed = series.passes.map((one) => (one.size > MAX_CONFIRMED || series.isPartial ? one : this.#confirmed(one, growth)));
    this.#series[this.#series.length - 1] = { ...series, passes: confirmed };
  }

  /**
   * Judges requests around a size at which the predicted time passes a bound. Corrects the size by a few steps. The size stays unconfirmed
   * if the time ends.
   */
  #confirmed(passed: TimePassed, growth: CountGrowth): TimePassed {
    const over = (size: number): boolean | undefined => {
      const probed = growth.at(size);
      return probed && pointOf(probed).ms > passed.ms;
    };
    let { size } = passed;
    try {
      for (let tries = 0; tries < MAX_CORRECTIONS; tries++) {
        const isOver = over(size);
        if (isOver === undefined) return passed;
        if (!isOver) size += 1;
        else if (size > 1 && over(size - 1) === true) size -= 1;
        else return { ...passed, size, isJudged: true };
      }
    } catch (thrown) {
      if (!(thrown instanceof Cancelled)) throw thrown;
    }
    return passed;
  }

  /** Studies the growth with the sizes of lists, maps and texts. */
  #sizes(compiled: CompiledSubject, sample: SampleRequest, { probe }: SizedProbe): void {
    let studied = 0;
    for (const { part, sizes } of growSizes(compiled, sample, probe, this.#token)) {
      if (studied >= MAX_PARTS) {
        this.#notStudied.push({ what: 'sizes', reason: `more than ${MAX_PARTS} lists, maps and texts raise the cost` });
        break;
      }
      const { path, unit, param } = part;
      const series = this.#points({ grows: unit, name: path, ...(param !== undefined && { param }) }, sizes);
      // A longer value may end an expression early, for example if it is no number any more. Then the series shows no growth.
      if (series.costExponent === undefined && !series.isPartial) this.#series.pop();
      else studied++;
    }
    const ends = growParts(compiled.policy, sample.request, compiled.world, this.#token);
    for (const [i, series] of this.#series.entries()) {
      const own = ends.filter(({ list, param, unit }) => list === series.name && param === series.param && unit === series.grows);
      const [first] = own.toSorted((a, b) => (a.mayGrowTo ?? Infinity) - (b.mayGrowTo ?? Infinity));
      if (first?.mayGrowTo !== undefined && first.endsBy !== undefined && first.isChecked)
        this.#series[i] = { ...series, mayGrowTo: { size: first.mayGrowTo, by: first.endsBy } };
    }
  }

  /** Judges the sizes of a series, and adds the series to the findings. The series is partial if the time ends before the last size. */
  #points(what: Pick<PolicySeries, 'grows' | 'name' | 'param'>, sizes: Iterable<SizedProbe>): PolicySeries {
    const points: PolicyPoint[] = [];
    let isPartial = false;
    try {
      for (const probed of sizes) points.push(pointOf(probed));
    } catch (thrown) {
      if (!(thrown instanceof Cancelled)) throw thrown;
      isPartial = true;
    }
    const series = { ...what, points, ...seriesFigures(points), isPartial };
    this.#series.push(series);
    if (points.length > 0) return series;
    this.#series.pop();
    throw new Cancelled();
  }
}

/** Number of sizes by which a predicted size is corrected at most. */
const MAX_CORRECTIONS = 4;

/** Policy of a study with its sample request, compiled for the engine that counts. */
interface PreparedPolicy {
  readonly subject: PolicySubject;
  readonly sample: SampleRequest;
  readonly compiled: CompiledSubject;
}

/** Returns the policy of the work with its sample request, or the reason why there is none. */
function prepare(work: PolicyStudyWork, caches: JudgingCaches, token: CancellationToken): PreparedPolicy | string {
  const { item, policies, policyKind: kind, name, settings } = work;
  const [slice] = unpackItems(item);
  const reading = readPolicyText(policies);
  if (!reading.ok) return reading.error;
  const { documents } = reading;
  const policy = documents.policies.find((one) => one['kind'] === kind && metadataName(one) === name);
  if (slice === undefined || policy === undefined) return 'the policy was not found';
  const { admission, status } = judgeItem(slice, settings, caches, token);
  if (token.cancelled) throw new Cancelled();
  const request = kind === 'MutatingAdmissionPolicy' ? admission?.mutationRequest : admission?.request;
  if (request === undefined) return status?.message ?? 'no request reaches the policy';
  const bindings = documents.policies.filter((one) => one['kind'] === `${kind}Binding` && policyNameOf(one) === name);
  const { cluster, definitions } = documents;
  const subject = { policy, bindings, cluster, definitions };
  const { options } = settings;
  const sample = { request, server: serverOf(options), authorizer: options.admission.authorizer };
  const compiled = compileSubject(subject, sample, token);
  return typeof compiled === 'string' ? compiled : { subject, sample, compiled };
}

const memberOf = (document: JsonObject, member: string, name: string): unknown =>
  (document[member] as Readonly<Record<string, unknown>> | undefined)?.[name];
const metadataName = (document: JsonObject): unknown => memberOf(document, 'metadata', 'name');
const policyNameOf = (document: JsonObject): unknown => memberOf(document, 'spec', 'policyName');

function pointOf({ size, probe, facts }: SizedProbe): PolicyPoint {
  const stoppedBy = stopOf(probe);
  const ms = predictPolicyTime(policyWork(facts), MEASURED_POLICY_MODEL);
  return { size, cost: probe.cost, ms, ...(stoppedBy !== undefined && { stoppedBy }) };
}

function helpOf({
  change,
  text,
  request,
  before,
  after,
}: Omit<PolicyHelp, 'before' | 'after'> & Record<'before' | 'after', SizedProbe>): PolicyHelp {
  const price = (probed: SizedProbe): PolicyHelp['before'] => {
    const { cost, ms } = pointOf(probed);
    return { cost, ms };
  };
  return { change, text, request, before: price(before), after: price(after) };
}
