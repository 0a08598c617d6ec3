import type { PlacedFindings } from '#benchmark';
import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import { grouped } from '#numbers';
import type { Engine } from '#runner';
import { estimateChanges, pairDefinitions } from '#service';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { failedChangeGates } from '../../gates/change-gates.ts';
import { isChangeGate } from '../../gates/gate-list.ts';
import type { GateName } from '../../gates/gate-list.ts';
import type { Gate } from '../../gates/read-gates.ts';

/** Figure of a rule, such as its cost exponent. A gate is a condition that compares such a figure with a bound. */
interface Metric {
  /** Returns the figure for a rule; undefined if the study did not find it. */
  readonly figure: (rule: PlacedFindings) => number | undefined;
  /** Amount by which the figure may exceed the bound before a gate with `>` fails; 0 if absent. */
  readonly tolerance?: number;
  readonly words: string;
}

const percentOf = (ratio: number | undefined): number | undefined => (ratio === undefined ? undefined : 100 * (ratio - 1));
const compared = ({ base }: PlacedFindings) => (base?.kind === 'compared' ? base : undefined);

/**
 * Figures of a rule that a gate can compare with a bound. A gate is a condition on the findings of a study, for example to fail a CI job.
 * Figures of cost come first, because they are exact.
 */
export const GATE_METRICS = {
  'cost-exponent': {
    figure: ({ growsWith, growsTogether }) => growsTogether?.costExponent ?? growsWith[0]?.costExponent,
    // Exponents are accurate to 0.05, so smaller differences do not count.
    tolerance: 0.05,
    words: 'the exponent of cost',
  },
  budget: { figure: ({ budgetEndsAt }) => budgetEndsAt?.size, words: 'the smallest size that a server refuses' },
  cost: { figure: ({ worst }) => worst?.cost, words: 'the cost of the most expensive write found' },
  'estimate-ratio': { figure: ({ estimateOverWorst }) => estimateOverWorst, words: 'estimate ÷ highest cost found' },
  'cost-worse': {
    figure: (rule) => {
      const cost = compared(rule)?.cost;
      // If the old cost is zero and the new one is not, the increase exceeds any percentage.
      return cost && (cost.ratio === undefined ? Infinity : percentOf(cost.ratio));
    },
    words: 'the cost beside the older revision, in per cent more,',
  },
  'time-exponent': { figure: ({ growsWith }) => growsWith[0]?.timeExponent?.lo, words: 'the exponent of time, at least,' },
  'time-worse': {
    figure: (rule) => percentOf(compared(rule)?.time?.lo),
    words: 'the time beside the older revision, in per cent more, at least,',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** Name of a metric in {@link GATE_METRICS}. */
export type GateMetric = keyof typeof GATE_METRICS;

/** Gate of a study: a bound on a metric that every rule must satisfy. */
export type StudyGate = Extract<Gate<GateMetric>, { readonly kind: 'bound' }>;

/** Gate that a study or the estimates of a definition fail, with the place of the rule. Version and path are absent for a whole definition. */
export interface FailedGate {
  readonly name: GateName<'bench'>;
  /** The gate as the user wrote it. */
  readonly gate: string;
  /** Place of the definition, as in the report of the study. */
  readonly source: string;
  readonly version?: string;
  readonly path?: string;
  /** Sentence that describes the failure to the user. */
  readonly text: string;
}

/** Returns the gates among the chosen ones that are bounds on metrics of a study. */
export const studyGates = (gates: readonly Gate<GateName<'bench'>>[]): readonly StudyGate[] =>
  gates.flatMap((gate) => (gate.kind === 'bound' && isMetric(gate.name) ? [{ ...gate, name: gate.name }] : []));

const isMetric = (name: string): name is GateMetric => Object.hasOwn(GATE_METRICS, name);

/** Returns all violations of gates by rules. A rule whose figure is unknown does not violate the gate. */
export function failedStudyGates(rules: readonly PlacedFindings[], gates: readonly StudyGate[]): readonly FailedGate[] {
  return gates.flatMap((gate) => {
    const { figure, tolerance = 0, words }: Metric = GATE_METRICS[gate.name];
    return rules.flatMap((rule): FailedGate[] => {
      const found = figure(rule);
      if (found === undefined || !(gate.operator === '>' ? found > gate.bound + tolerance : found < gate.bound)) return [];
      const shown = found === Infinity ? 'more than any' : Number.isInteger(found) ? grouped(found) : found.toFixed(2);
      return [failure(rule, gate, `${words} is ${shown}${gate.unit === 'percent' && found !== Infinity ? ' %' : ''}`)];
    });
  });
}

/**
 * Returns the rules that other gates need and that the study did not decide. A gate that compares with the older revision needs the rules
 * that the change touches. Each other gate of a study needs all rules, and so does `undecided` alone.
 */
export function undecidedRules(
  rules: readonly PlacedFindings[],
  gates: readonly Gate<GateName<'bench'>>[],
  isCompared: boolean,
): readonly FailedGate[] {
  const gate = gates.find(({ name }) => name === 'undecided');
  if (gate === undefined) return [];
  const others = studyGates(gates);
  const needsAll = gates.every((one) => one === gate) || others.some(({ name }) => !COMPARING.has(name));
  const isComparing = isCompared && others.some(({ name }) => COMPARING.has(name));
  const needsTimes = isCompared && others.some(({ name }) => name === 'time-worse');
  return rules.flatMap((rule): FailedGate[] => {
    const isTouched = isComparing && rule.change !== 'none';
    if (rule.change === 'gone' || !(needsAll || isTouched)) return [];
    const reason = undecidedReason(rule, { isWritten: needsAll, isCompared: isTouched, isTimed: isTouched && needsTimes });
    return reason === undefined ? [] : [failure(rule, gate, reason)];
  });
}

/** Metrics that compare a rule with its partner in the older revision. */
const COMPARING: ReadonlySet<string> = new Set<GateMetric>(['cost-worse', 'time-worse']);

/** Needs of the gates about one rule: a write that evaluates it, its comparison with its partner, and the times of both. */
interface Needed {
  readonly isWritten: boolean;
  readonly isCompared: boolean;
  readonly isTimed: boolean;
}

/** Returns the reason why a rule is undecided; undefined if it is decided. A rule that no write can evaluate is decided. */
function undecidedReason(rule: PlacedFindings, { isWritten, isCompared, isTimed }: Needed): string | undefined {
  const { cutOff, notStudied, base, worst, isPartial } = rule;
  if (cutOff === 'study') return `the rule was not studied: ${notStudied}`;
  if (isWritten && worst === undefined && isPartial) return 'the time was over before a write was found that evaluates the rule';
  if (isCompared && cutOff === 'comparison') return 'the rule was not compared with the older revision';
  if (!isTimed || base?.kind !== 'compared') return undefined;
  if (base.time === undefined) return 'the times of both revisions were not compared';
  return base.time.verdict === 'undecided' ? 'the times do not decide whether the rule became slower' : undefined;
}

const failure = ({ source, version, path }: PlacedFindings, { name, text }: Gate<GateName<'bench'>>, why: string): FailedGate => ({
  name,
  gate: text,
  source,
  version,
  path,
  text: `${text}: ${why}`,
});

/** Definitions of both revisions. `before` is undefined if there is no older revision. */
interface Revisions {
  readonly definitions: readonly PlacedDocument[];
  readonly before: readonly PlacedDocument[] | undefined;
}

/**
 * Returns the gates that the estimates of the definitions fail. The estimates do not depend on the time budget. Without gates on estimates,
 * nothing is estimated.
 */
export async function failedEstimates(
  engine: Engine,
  { definitions, before }: Revisions,
  {
    failOn,
    minors,
    options,
  }: { readonly failOn: readonly Gate<GateName<'bench'>>[]; readonly minors: readonly Minor[]; readonly options: EvaluationOptions },
): Promise<readonly FailedGate[]> {
  if (!failOn.some(({ name }) => isChangeGate(name))) return [];
  const failed: FailedGate[] = [];
  for (const { from, to } of pairDefinitions(before ?? [], definitions)) {
    if (to === undefined) continue;
    const estimates = await estimateChanges(engine, { from: before === undefined ? 'none' : from?.slice, to: to.slice }, options);
    for (const { name, gate, version, path, text } of failedChangeGates(estimates, failOn, minors))
      failed.push({ name, gate, source: to.source, ...(version !== undefined && { version }), ...(path !== undefined && { path }), text });
  }
  return failed;
}
