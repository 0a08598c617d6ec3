import { internalErrorStatus, notFoundStatus, OBJECT_BUDGET, PER_CALL_LIMIT, MINORS } from '#kube';
import type { Status } from '#kube';
import { definitionTexts, serverOf, splitBatch, definitionText, definitionWrite, inMinor } from '#documents';
import type {
  DefinitionText,
  DocumentSlice,
  Envelope,
  EvaluationOptions,
  ExplainedDefinition,
  ExplainedRule,
  Explanation,
  MeasuredObject,
  PricedPart,
  VerdictCauses,
  Verdict,
  PolicyPrice,
} from '#documents';
import { packItems } from '#runner';
import type { MeasuredItems, RuleMeasurement } from '#runner';
import type { Engine } from '../ports.ts';
import { runItems } from '../run/run-chunk.ts';
import type { Attempt } from '../run/run-chunk.ts';
import { explainText, EXPLANATION_STOPPED, otherServers } from './explain-text.ts';
import { judgeObjects, prepareBatch, reviewPolicies } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import { policyPrices } from './policy-prices.ts';

/**
 * Explains definitions: returns the estimated and the measured cost of each part of each rule. Also suggests bounds that bring an expensive
 * rule under its limit. Objects of a refused definition are evaluated too if the definition is refused only because of its costs.
 *
 * If there are admission policies, evaluates the write of each object once more under the policies and adds up their costs. Returns a
 * Status if `signal` stops the work.
 */
export async function explain(engine: Engine, documents: Envelope, signal?: AbortSignal): Promise<Explanation> {
  const measured = await explainRules(engine, documents, signal);
  return documents.policies.length === 0
    ? measured
    : { ...measured, ...(await explainPolicies(engine, documents, measured.objects, signal)) };
}

async function explainRules(
  engine: Engine,
  { definitions, objects, options }: Envelope,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const run = new ExplainRun(engine, options, signal);
  const texts = await definitionTexts(definitions, serverOf(options));
  const explained = await Promise.all(texts.map(async (text) => run.definition(text, objects)));
  const judged = new Map(explained.flatMap(({ objects }) => objects.map((object) => [object.index, object] as const)));
  return {
    definitions: explained.map(({ definition }) => definition),
    objects: objects.map((_, index) => judged.get(index) ?? { index, outcome: 'notEvaluated', status: UNMATCHED }),
  };
}

const UNMATCHED = {
  ...notFoundStatus({ group: '', resource: '' }, ''),
  message: 'the object cannot be read, or none of the definitions that can be used is of its kind and version',
};

class ExplainRun {
  readonly #engine: Engine;
  readonly #options: EvaluationOptions;
  readonly #signal: { readonly signal?: AbortSignal };

  constructor(engine: Engine, options: EvaluationOptions, signal: AbortSignal | undefined) {
    this.#engine = engine;
    this.#options = options;
    this.#signal = signal ? { signal } : {};
  }

  async definition(
    text: DefinitionText,
    items: readonly DocumentSlice[],
  ): Promise<{ readonly definition: ExplainedDefinition; readonly objects: readonly MeasuredObject[] }> {
    const { explained: alone, usable } = await explainText(this.#engine, text, this.#options, {
      signal: this.#signal.signal,
      others: otherServers(this.#options),
    });
    const causes = alone.report.accepted ? undefined : await refusalCauses(this.#engine, text, this.#options, this.#signal.signal);
    const explained = causes === undefined ? alone : { ...alone, causes };
    if (!usable) return { definition: explained, objects: [] };
    let firstItem = 0;
    const measured: MeasuredItems[] = [];
    for (const run of splitBatch(items)) {
      measured.push(await this.#measure(text, run, firstItem));
      firstItem += run.length;
    }
    const byRule = Map.groupBy(
      measured.flatMap(({ rules }) => rules),
      ruleKey,
    );
    const { perCall, perObject } = this.#options.costLimits;
    const rules = explained.rules.map((rule) => withMeasurements(rule, byRule.get(ruleKey(rule)) ?? [], perCall ?? PER_CALL_LIMIT));
    const objects = measured.flatMap((one) => one.objects);
    return { definition: { ...explained, rules, ...costliestOf(objects, perObject ?? OBJECT_BUDGET) }, objects };
  }

  #measure(definition: DefinitionText, items: readonly DocumentSlice[], firstItem: number): Promise<MeasuredItems> {
    const run = async (part: readonly DocumentSlice[], first: number, alone: boolean): Promise<Attempt<MeasuredItems>> => {
      const work = { kind: 'measure', definition, firstItem: first, items: packItems(part), options: this.#options } as const;
      const answer = await this.#engine.run(work, { ...this.#signal, alone });
      if (answer.kind === 'broken') return answer;
      return { kind: 'done', result: answer.kind === 'done' ? answer.result : unmeasured(part, first, 'cancelled', EXPLANATION_STOPPED) };
    };
    return runItems<MeasuredItems>(
      {
        run,
        resultOfFault: (item, index) => unmeasured([item], index, 'notEvaluated', GUILTY),
        join: (left, right) => ({ objects: [...left.objects, ...right.objects], rules: [...left.rules, ...right.rules] }),
      },
      items,
      firstItem,
    );
  }
}

const GUILTY = internalErrorStatus('this object ended the engine that judged it');

function unmeasured(items: readonly DocumentSlice[], firstItem: number, outcome: MeasuredObject['outcome'], status: Status): MeasuredItems {
  return { objects: items.map((_, i) => ({ index: firstItem + i, outcome, status })), rules: [] };
}

const ruleKey = ({ version, path }: { readonly version: string; readonly path: string }): string => `${version} ${path}`;

/** Cost limit in cost units, or `unlimited` if there is no limit. */
type Limit = number | 'unlimited';

/** Returns how many cost units of `limit` remain after `cost`; null if there is no limit. */
const headroom = (limit: Limit, cost: number): number | null => (limit === 'unlimited' ? null : Math.max(0, limit - cost));

/**
 * Returns the object with the highest cost. If a cost limit stopped the evaluation of an object, this object counts as more expensive than
 * any object that was not stopped.
 */
function costliestOf(objects: readonly MeasuredObject[], budget: Limit): Pick<ExplainedDefinition, 'measured'> {
  const judged = objects.flatMap(({ index, celCost }) => (celCost === undefined ? [] : [{ object: index, cost: celCost }]));
  const spent = (cost: number): number => (cost < 0 ? Infinity : cost);
  const [first, ...rest] = judged;
  if (first === undefined) return {};
  const costliest = rest.reduce((most, one) => (spent(one.cost) > spent(most.cost) ? one : most), first);
  return { measured: { objects: judged.length, costliest, headroom: headroom(budget, spent(costliest.cost)) } };
}

/**
 * Returns `rule` with the sum of the measurements in `runs`, each of which covers several objects. `callLimit` is the cost limit of one
 * evaluation, in cost units.
 */
function withMeasurements(rule: ExplainedRule, runs: readonly RuleMeasurement[], callLimit: Limit): ExplainedRule {
  const [first, ...rest] = runs;
  if (first === undefined) return rule;
  const sum = (count: (run: RuleMeasurement) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const costliest = rest.reduce((most, run) => (run.costliest.cost > most.costliest.cost ? run : most), first);
  return {
    ...rule,
    measured: {
      objects: sum(({ objects }) => objects),
      evaluations: sum(({ evaluations }) => evaluations),
      cost: sum(({ cost }) => cost),
      costliest: costliest.costliest,
      headroom: headroom(callLimit, costliest.costliest.cost),
    },
    ...(rule.parts && { parts: withActual(rule.parts, costliest.parts) }),
  };
}

/**
 * Adds the measured costs of the second expression tree to the estimates of the first. Both trees come from the same text. Only their
 * environments may differ, because rules are estimated as new rules and evaluated as stored rules.
 */
function withActual(estimated: PricedPart, { actual, parts }: PricedPart): PricedPart {
  return {
    ...estimated,
    ...(actual && { actual }),
    parts: estimated.parts.map((part, i) => {
      const measured = parts[i];
      return measured === undefined ? part : withActual(part, measured);
    }),
  };
}

/**
 * Explains why a server refuses the creation of a definition that servers of earlier Kubernetes minor versions accept. Compares with the
 * last earlier minor version that accepts it. Returns undefined if there is none, or if the engine breaks or the work is cancelled.
 */
async function refusalCauses(
  engine: Engine,
  definition: DefinitionText,
  options: EvaluationOptions,
  signal: AbortSignal | undefined,
): Promise<VerdictCauses | undefined> {
  const settings = { ...(signal && { signal }) };
  const earlier = MINORS.slice(0, MINORS.indexOf(definition.minor)).toReversed();
  if (earlier.length === 0) return undefined;
  const definitions = earlier.map((minor) => definitionText(definition.slice, serverOf(inMinor(options, minor))));
  const work = { kind: 'judge-each', definitions, rules: false, ...definitionWrite(definition, options) } as const;
  const judged = await engine.run(work, settings);
  if (judged.kind !== 'done') return undefined;
  const from = earlier[judged.result.findIndex(({ report }) => report.accepted)];
  if (from === undefined) return undefined;
  const server = serverOf(inMinor(options, from));
  const found = await engine.run({ kind: 'causes', definition, from: server, ...definitionWrite(definition, options) }, settings);
  return found.kind === 'done' ? found.result : undefined;
}

/**
 * Computes the verdicts on admission policies, and on the create of each object of a batch under the definitions and policies. Also adds up
 * the costs of the policies. `measured` contains the measured cost of the definitions' rules for each object.
 */
async function explainPolicies(
  engine: Engine,
  documents: Envelope,
  measured: readonly MeasuredObject[],
  signal: AbortSignal | undefined,
): Promise<Pick<Explanation, 'objects' | 'policyReports' | 'policies'>> {
  const options = { ...documents.options, returnObjects: false, explain: true };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal });
  const how = { typeChecking: true, fieldValidation: options.fieldValidation, signal };
  const reports = prepared.policies && (await reviewPolicies(engine, prepared.policies, how));
  const verdicts = await judgeObjects(engine, prepared, documents.objects, signal);
  const admissions = verdicts.flatMap(({ index, admission }) => (admission === undefined ? [] : [{ item: index, admission }]));
  return {
    objects: verdicts.map((verdict, i) => writtenObject(verdict, measured[i])),
    ...(reports && { policyReports: reports }),
    policies: await withGrowth(engine, prepared, policyPrices(admissions), documents.objects, signal),
  };
}

/** Returns the outcome of the write of one object under definitions and policies, with the measured cost of its rules. */
function writtenObject({ index, name, outcome, status, cost }: Verdict, measured: MeasuredObject | undefined): MeasuredObject {
  const celCost = measured?.celCost ?? cost?.cel;
  return { index, ...(name !== undefined && { name }), outcome, ...(status && { status }), ...(celCost !== undefined && { celCost }) };
}

/**
 * Maximum number of policies for which the possible growth of an object's lists (how long they may become within the cost limits) is
 * determined. Policies with the highest cost are chosen.
 */
const MAX_POLICIES = 10;
/** Maximum total time in ms to determine, for all chosen policies, how long the lists of an object may become. */
const MAX_MS = 8_000;

/**
 * Returns the costs of policies, and adds the growth limits of lists to the most expensive policies. A growth limit states how long a list
 * in the most expensive object of a policy may become before a cost limit is exceeded. If the limits are not determined in time, the costs
 * of the policy are returned unchanged.
 */
async function withGrowth(
  engine: Engine,
  { settings, texts }: PreparedBatch,
  prices: readonly PolicyPrice[],
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly PolicyPrice[]> {
  const until = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(signal ? [signal] : [])]);
  return Promise.all(
    prices.map(async (price, i) => {
      const object = objects[price.costliest.item];
      if (i >= MAX_POLICIES || object === undefined) return price;
      const work = { kind: 'grow', item: packItems([object]), policy: price.policy, settings } as const;
      const answer = await engine.run(work, { definitions: texts, signal: until });
      return answer.kind === 'done' ? { ...price, growth: answer.result } : price;
    }),
  );
}
