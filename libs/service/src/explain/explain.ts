import { internalErrorStatus, notFoundStatus, OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { Status } from '#kube';
import { definitionTexts, serverOf, splitBatch } from '#documents';
import type {
  DefinitionText,
  DocumentSlice,
  Envelope,
  EvaluationOptions,
  ExplainedDefinition,
  ExplainedRule,
  Explanation,
  MeasuredObject,
  PartPrice,
} from '#documents';
import { packItems } from '#runner';
import type { MeasuredItems, RuleMeasurement } from '#runner';
import { refusalCauses } from '../causes/refusal-causes.ts';
import type { Engine } from '../ports.ts';
import { runItems } from '../run/run-items.ts';
import type { Attempt } from '../run/run-items.ts';
import { explainPolicies } from './explain-policies.ts';
import { explainText, EXPLANATION_STOPPED } from './explain-text.ts';

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
    const { explained: alone, usable } = await explainText(this.#engine, text, this.#options, this.#signal.signal);
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
    return { definition: { ...explained, rules, ...dearestOf(objects, perObject ?? OBJECT_BUDGET) }, objects };
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
function dearestOf(objects: readonly MeasuredObject[], budget: Limit): Pick<ExplainedDefinition, 'measured'> {
  const judged = objects.flatMap(({ index, celCost }) => (celCost === undefined ? [] : [{ object: index, cost: celCost }]));
  const spent = (cost: number): number => (cost < 0 ? Infinity : cost);
  const [first, ...rest] = judged;
  if (first === undefined) return {};
  const dearest = rest.reduce((most, one) => (spent(one.cost) > spent(most.cost) ? one : most), first);
  return { measured: { objects: judged.length, dearest, headroom: headroom(budget, spent(dearest.cost)) } };
}

/**
 * Returns `rule` with the sum of the measurements in `runs`, each of which covers several objects. `callLimit` is the cost limit of one
 * evaluation, in cost units.
 */
function withMeasurements(rule: ExplainedRule, runs: readonly RuleMeasurement[], callLimit: Limit): ExplainedRule {
  const [first, ...rest] = runs;
  if (first === undefined) return rule;
  const sum = (count: (run: RuleMeasurement) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const dearest = rest.reduce((most, run) => (run.dearest.cost > most.dearest.cost ? run : most), first);
  return {
    ...rule,
    measured: {
      objects: sum(({ objects }) => objects),
      evaluations: sum(({ evaluations }) => evaluations),
      cost: sum(({ cost }) => cost),
      dearest: dearest.dearest,
      headroom: headroom(callLimit, dearest.dearest.cost),
    },
    ...(rule.parts && { parts: withActual(rule.parts, dearest.parts) }),
  };
}

/**
 * Adds the measured costs of the second expression tree to the estimates of the first. Both trees come from the same text. Only their
 * environments may differ, because rules are estimated as new rules and evaluated as stored rules.
 */
function withActual(estimated: PartPrice, { actual, parts }: PartPrice): PartPrice {
  return {
    ...estimated,
    ...(actual && { actual }),
    parts: estimated.parts.map((part, i) => {
      const measured = parts[i];
      return measured === undefined ? part : withActual(part, measured);
    }),
  };
}
