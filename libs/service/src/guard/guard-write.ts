import { definitionText, definitionWrite, inMinor, policyTextOf, serverOf } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import { EXPRESSION_COST_LIMIT, minorWords, SCHEMA_COST_LIMIT } from '#kube';
import type { JudgedDefinition } from '#runner';
import { reviewPolicies } from '../judge/prepared-batch.ts';
import { policyEffects, preparePolicyChange } from '../what-if/policy-effect.ts';
import type { PolicyChange } from '../what-if/policy-effect.ts';
import { judgeChange, whatIf } from '../what-if/what-if.ts';
import type { GuardCheck } from './guard-findings.ts';

/**
 * Create or update of a definition that the guard (admission webhook for changes of definitions) checks. It contains the stored objects of
 * the definition's kind.
 */
export interface GuardedWrite {
  /** Stored definition before the write; undefined if the definition is new. */
  readonly from: DocumentSlice | undefined;
  readonly to: DocumentSlice;
  /** Stored objects of the definition's kind, in blocks. */
  readonly objects: AsyncIterable<readonly DocumentSlice[]>;
  /** Evaluation options that correspond to the configuration of the cluster. */
  readonly options: EvaluationOptions;
}

/**
 * Checks the create or update of a definition in three steps. First, all required Kubernetes minor versions must accept the definition.
 * Second, the costs of its rules are checked. Third, its effect on stored objects is determined. A problem is not reported if the old
 * definition already had the same error message, or an equal or higher cost.
 *
 * The check ends when all steps are done or `signal` is aborted. At the end, `findings` contains the problems and effects found so far.
 */
export async function guardDefinition(
  { engine, limits, findings, signal }: GuardCheck,
  { from, to, objects, options }: GuardedWrite,
): Promise<void> {
  const judge = async (slice: DocumentSlice, asOf: EvaluationOptions): Promise<JudgedDefinition | undefined> => {
    const definition = definitionText(slice, serverOf(asOf));
    const write = { ...definitionWrite(definition, options), asSent: false };
    const answer = await engine.run({ kind: 'judge', definition, rules: true, ...write }, { signal });
    return answer.kind === 'done' ? answer.result : undefined;
  };
  for (const minor of limits.minors) {
    const asOf = inMinor(options, minor);
    const [before, after] = await Promise.all([from && judge(from, asOf), judge(to, asOf)]);
    const message = after?.report.status?.message;
    if (message !== undefined && message !== before?.report.status?.message)
      findings.add(`Kubernetes ${minorWords(minor)} would refuse it: ${message}`);
  }
  const [before, after] = await Promise.all([from && judge(from, options), judge(to, options)]);
  if (after) for (const sentence of expensiveRules(before, after, limits.costShare)) findings.add(sentence);
  if (from === undefined || after === undefined) return;
  const server = serverOf(options);
  const change = { from: definitionText(from, server), to: definitionText(to, server), options };
  // If the server would reject the definition, the server itself reports the reason, and the guard adds nothing.
  if ((await judgeChange(engine, change, signal))?.accepted !== true) return;
  for await (const effects of whatIf(engine, change, objects, signal)) for (const effect of effects) findings.count(effect);
}

/**
 * Returns a sentence for each rule whose cost increased and exceeds `share`, the allowed share of the server's limit. The same applies to
 * the rules of each version together.
 */
function expensiveRules(before: JudgedDefinition | undefined, after: JudgedDefinition, share: number): string[] {
  const known = new Map((before?.rules ?? []).map((rule) => [`${rule.version} ${rule.path}`, Number(rule.totalCost)]));
  const rules = (after.rules ?? []).flatMap(({ version, path, totalCost }) => {
    const cost = Number(totalCost);
    const allowed = Math.max(share * Number(EXPRESSION_COST_LIMIT), known.get(`${version} ${path}`) ?? 0);
    return cost > allowed ? [`${version} ${path}: the rule ${costText(cost, Number(EXPRESSION_COST_LIMIT), share)}`] : [];
  });
  const versions = Object.entries(after.schemaCost ?? {}).flatMap(([version, text]) => {
    const cost = Number(text);
    const allowed = Math.max(share * Number(SCHEMA_COST_LIMIT), Number(before?.schemaCost?.[version] ?? 0));
    return cost > allowed ? [`${version}: all rules together ${costText(cost, Number(SCHEMA_COST_LIMIT), share)}`] : [];
  });
  return [...rules, ...versions];
}

const costText = (cost: number, limit: number, share: number): string =>
  `may cost ${(cost / limit).toFixed(2)} of the server's limit, and ${share} of it is allowed here`;

/** Checks an admission policy or a binding. Reports each required minor version whose server would refuse to store it. */
export async function guardPolicy(
  { engine, limits, findings, signal }: GuardCheck,
  policy: DocumentSlice,
  options: EvaluationOptions,
): Promise<void> {
  for (const minor of limits.minors) {
    const text = policyTextOf({ policies: [policy], cluster: [] }, [], serverOf(inMinor(options, minor)));
    const [report] = (await reviewPolicies(engine, text, { typeChecking: false, fieldValidation: options.fieldValidation, signal })) ?? [];
    if (report?.accepted === false) findings.add(`Kubernetes ${minorWords(minor)} would refuse it: ${report.status?.message ?? ''}`);
  }
}

/**
 * Change of the policies in a cluster, with the stored objects that the guard uses to determine its effects. The guard evaluates an update
 * of each object under the old and the new policies.
 */
export interface GuardedPolicyChange extends PolicyChange {
  readonly objects: AsyncIterable<readonly DocumentSlice[]>;
}

/**
 * Determines how a change of admission policies affects the next updates of stored objects, and how much CEL cost it adds. Adds the results
 * to `findings`. Ends if all objects are evaluated or `signal` is aborted.
 */
export async function guardPolicyChange(
  { engine, findings, signal }: GuardCheck,
  { objects, ...change }: GuardedPolicyChange,
): Promise<void> {
  const prepared = await preparePolicyChange(engine, change, signal);
  for await (const impacts of policyEffects(engine, prepared, objects, signal))
    for (const impact of impacts) findings.countPolicyImpact(impact);
}
