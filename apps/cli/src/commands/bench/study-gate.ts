import type { PlacedFindings } from '#benchmark';
import { grouped } from '#numbers';

/** Figure of a rule, such as its cost exponent. A gate is a condition that compares such a figure with a bound. */
interface Metric {
  /** Returns the figure for a rule; undefined if the study did not find it. */
  readonly figure: (rule: PlacedFindings) => number | undefined;
  /** Operator of the comparison: a gate fails if the figure is above (`>`) or below (`<`) the bound. */
  readonly fails: '>' | '<';
  readonly isPercent?: boolean;
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
    fails: '>',
    // Exponents are accurate to 0.05.
    tolerance: 0.05,
    words: 'the exponent of cost',
  },
  budget: { figure: ({ budgetEndsAt }) => budgetEndsAt?.size, fails: '<', words: 'the first length that a server refuses' },
  cost: { figure: ({ worst }) => worst?.cost, fails: '>', words: 'the cost of the most expensive write found' },
  'estimate-ratio': { figure: ({ estimateOverWorst }) => estimateOverWorst, fails: '<', words: 'estimate ÷ highest cost found' },
  'cost-worse': {
    figure: (rule) => {
      const cost = compared(rule)?.cost;
      // If the old cost is zero and the new one is not, the increase exceeds any percentage.
      return cost && (cost.ratio === undefined ? Infinity : percentOf(cost.ratio));
    },
    fails: '>',
    isPercent: true,
    words: 'the cost beside the older revision, in per cent more,',
  },
  'time-exponent': { figure: ({ growsWith }) => growsWith[0]?.timeExponent?.lo, fails: '>', words: 'the exponent of time, at least,' },
  'time-worse': {
    figure: (rule) => percentOf(compared(rule)?.time?.lo),
    fails: '>',
    isPercent: true,
    words: 'the time beside the older revision, in per cent more, at least,',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** Name of a metric in {@link GATE_METRICS}. */
type GateMetric = keyof typeof GATE_METRICS;

/** Gate of a study: a bound on a metric that every rule must satisfy. */
export interface StudyGate {
  readonly metric: GateMetric;
  readonly bound: number;
  /** Text of the gate as the user wrote it, such as `cost-exponent>1`. */
  readonly text: string;
}

/** Rule that violates a gate (a bound on a metric), with the gate. */
export interface FailedGate {
  readonly rule: PlacedFindings;
  readonly gate: StudyGate;
  /** Sentence that describes the violation to the user. */
  readonly text: string;
}

/** Result of parsing gates: the gates, or a sentence that describes the error in the text. */
export type ReadGates = { readonly ok: true; readonly gates: readonly StudyGate[] } | { readonly ok: false; readonly error: string };

const FORM = /^([a-z-]+)\s*([<>])\s*(\d+(?:\.\d+)?)\s*(%?)$/;

/** Parses gates that are separated by commas, such as `cost-exponent>1,budget<10000,cost-worse>10%`. */
export function readGates(text: string): ReadGates {
  const gates: StudyGate[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, name = '', comparison, bound, percent] = FORM.exec(part) ?? [];
    const metric = metricOf(name);
    if (metric === undefined)
      return {
        ok: false,
        error: `${part}: must be METRIC>NUMBER or METRIC<NUMBER, with a metric of ${Object.keys(GATE_METRICS).join(', ')}.`,
      };
    const { fails, isPercent = false }: Metric = GATE_METRICS[metric];
    if (comparison !== fails)
      return {
        ok: false,
        error: `${part}: ${metric} fails if it is ${fails === '>' ? 'above' : 'below'} its bound: write ${metric}${fails}${bound}.`,
      };
    if ((percent === '%') !== isPercent)
      return { ok: false, error: `${part}: ${metric} is ${isPercent ? 'a percentage, such as 10%' : 'no percentage'}.` };
    gates.push({ metric, bound: Number(bound), text: part.replace(/\s+/g, '') });
  }
  return { ok: true, gates };
}

const metricOf = (name: string): GateMetric | undefined => (Object.keys(GATE_METRICS) as GateMetric[]).find((one) => one === name);

/** Returns all violations of gates by rules. A rule whose figure is unknown does not violate the gate. */
export function failedGates(rules: readonly PlacedFindings[], gates: readonly StudyGate[]): readonly FailedGate[] {
  return gates.flatMap((gate) => {
    const { figure, fails, tolerance = 0, isPercent, words }: Metric = GATE_METRICS[gate.metric];
    return rules.flatMap((rule): FailedGate[] => {
      const found = figure(rule);
      if (found === undefined || !(fails === '>' ? found > gate.bound + tolerance : found < gate.bound)) return [];
      const shown = found === Infinity ? 'more than any' : Number.isInteger(found) ? grouped(found) : found.toFixed(2);
      return [{ rule, gate, text: `${gate.text}: ${words} is ${shown}${isPercent === true && found !== Infinity ? ' %' : ''}` }];
    });
  });
}
