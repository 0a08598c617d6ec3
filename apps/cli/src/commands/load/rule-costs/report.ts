import { addedTime, median, biasShare } from '#benchmark';
import type { AddedMs, AddedTime, PlacedFindings } from '#benchmark';
import type { Removal, SentPairs } from '#cluster';
import { countedText, grouped, spentText, times, timeText } from '#numbers';
import { fittedTable } from '../../../report/fitted-table.ts';
import { factsText } from '../report-forms.ts';
import type { Fact } from '../report-forms.ts';

/** Comparison of one write to two definitions. */
export interface ComparedTimes {
  readonly pairs: number;
  /** HTTP codes of the answers. Absent if a write was not measured. */
  readonly codes?: { readonly without: number; readonly with: number };
  /** Median times in ms without and with the rules in question. Absent without pairs. */
  readonly withoutMs?: number;
  readonly withMs?: number;
  /** Time that the rules add, with 95 % intervals. */
  readonly added: AddedTime;
  /** Reason why the writes were not measured to the end. */
  readonly problem?: string;
}

/** Exact cost of a rule, the predicted time of the Go library, and the time that the rule adds to a write on the server. */
export interface RuleCost extends ComparedTimes {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
  /** Cost units of all evaluations of the rule in the write. */
  readonly cost: number;
  readonly evaluations: number;
  /** Size of the object in bytes. */
  readonly bytes: number;
  /** Predicted time in ms of all evaluations, and the family of the rule. Absent without a prediction. */
  readonly predicted?: { readonly ms: number; readonly family: string };
  /** Measured time at p50 ÷ predicted time. Absent if the rule adds no decided time, or without a prediction. */
  readonly measuredOverPredicted?: number;
}

/** Report on what the rules of a definition cost on a server. */
export interface RuleCostReport {
  /** Version of the report's format. Fields may be added within a version; a change of meaning gets a new version. */
  readonly schema: 'assay.dev/rule-costs/v1';
  readonly cluster: string;
  /** Version text of the server, such as `v1.37.0`. */
  readonly version: string;
  readonly definition: string;
  /** Id of the run, which all its temporary definitions have as a label. */
  readonly run: string;
  readonly seconds: number;
  readonly isInterrupted: boolean;
  /** Reason why the measurement ended early. */
  readonly stopped?: string;
  /** Comparison of two equal copies. Rules must add more than this difference. */
  readonly control?: ComparedTimes;
  /** Comparison of all rules with none, on the most expensive write. */
  readonly allRules?: ComparedTimes;
  readonly rules: readonly RuleCost[];
  /** Rules that were not measured, each with the reason. */
  readonly notMeasured: readonly { readonly path: string; readonly why: string }[];
  /** Temporary definitions that were removed, and temporary definitions that are left. */
  readonly definitions: Removal;
}

/** Returns the comparison of two writes. `bias` is the share by which equal writes differed. */
export function comparedTimes({ pairs, codes, problem }: SentPairs, bias: number): ComparedTimes {
  const [withoutMs, withMs] = [median(pairs.map(({ a }) => a)), median(pairs.map(({ b }) => b))];
  return {
    pairs: pairs.length,
    ...(codes && { codes: { without: codes.a, with: codes.b } }),
    ...(withoutMs !== undefined && { withoutMs }),
    ...(withMs !== undefined && { withMs }),
    added: addedTime(pairs, bias),
    ...(problem !== undefined && { problem }),
  };
}

/** Returns the share of its time by which a write to one of two equal definitions differed from the other. */
export const controlBias = (control: SentPairs | undefined): number => biasShare(control?.pairs ?? []);

/** Findings about a rule that its cost needs. */
type CostedRule = Pick<PlacedFindings, 'version' | 'path' | 'rule' | 'serverTime'> & {
  readonly worst?: Pick<NonNullable<PlacedFindings['worst']>, 'cost' | 'evaluations' | 'bytes'>;
};

/** Returns what a rule costs, from its findings and its measurements. */
export function ruleCost({ version, path, rule, worst, serverTime }: CostedRule, compared: ComparedTimes): RuleCost {
  const evaluations = worst?.evaluations ?? 0;
  const predicted = serverTime?.kind === 'predicted' ? { ms: serverTime.ms * evaluations, family: serverTime.family } : undefined;
  const { added } = compared;
  const ratio = added.verdict === 'adds' && predicted && predicted.ms > 0 ? added.p50.ms / predicted.ms : undefined;
  return {
    version,
    path,
    rule,
    cost: worst?.cost ?? 0,
    evaluations,
    bytes: worst?.bytes ?? 0,
    ...(predicted && { predicted }),
    ...(ratio !== undefined && { measuredOverPredicted: ratio }),
    ...compared,
  };
}

const UNDECIDED = {
  tooFew: 'too few pairs',
  short: 'writes take under 5 ms',
  noise: 'too much noise',
  fewer: 'writes with the rule took less time',
} as const;
/** Factor between a measured and a predicted time above which the family of the rule is named. */
const OFF = 2;

/** Returns the report as readable text, with a table of at most `room` characters. */
export function ruleCostText(report: RuleCostReport, room?: number): string {
  const { rules } = report;
  const text = factsText(ruleCostFacts(report));
  return rules.length === 0 ? text : `${text}\n${fittedTable(TABLE, rules.map(ruleRow), room).join('\n')}\n`;
}

/** Returns what a report says besides its table of rules. */
export function ruleCostFacts(report: RuleCostReport): readonly Fact[] {
  const { cluster, version, definition, run, seconds, control, allRules, rules, notMeasured, stopped, isInterrupted } = report;
  const end = isInterrupted ? ' (interrupted)' : '';
  return [
    ['Definition', `${definition} on ${cluster} (${version}), ${spentText(1000 * seconds)} of dry runs${end}; run ${run}`],
    ['Stopped', ...(stopped === undefined ? [] : [stopped])],
    ['Control', ...(control === undefined ? [] : [`two equal definitions: ${comparedText(control)}`])],
    ['All rules', ...(allRules === undefined ? [] : [comparedText(allRules)])],
    ['Left out', ...notMeasured.map(({ path, why }) => `${path}: ${why}`)],
    ['Off', ...offLines(rules)],
    ['Copies', ...definitionLines(report)],
  ];
}

/** Headings of the table of rules. */
export const RULE_HEADINGS = [
  'adds at p50 (95 %)',
  'at p99 (95 %)',
  'write',
  'cost units',
  'predicted Go',
  'pairs',
  'rule',
  'path',
] as const;
const TABLE = {
  headings: RULE_HEADINGS,
  toTheRight: new Set(['write', 'cost units', 'predicted Go', 'pairs']),
  flexible: [
    ['path', 30],
    ['rule', 24],
  ],
} as const;

/** Returns the row of a rule in the table of rules. */
export function ruleRow({ added, withMs, cost, predicted, pairs, rule, path, problem, codes }: RuleCost): string[] {
  const refused = codes?.with === 422 ? ', refused' : '';
  return [
    problem === undefined ? addedText(added) : `not measured: ${problem}`,
    tailText(added),
    withMs === undefined ? '–' : `${timeText(withMs)}${refused}`,
    grouped(cost),
    predicted === undefined ? '–' : timeText(predicted.ms),
    grouped(pairs),
    rule,
    path,
  ];
}

function comparedText({ added, withoutMs, pairs, problem }: ComparedTimes): string {
  const beside = withoutMs === undefined ? '' : `, beside ${timeText(withoutMs)}`;
  const words = added.verdict === 'adds' ? `add ${addedText(added)}` : addedText(added);
  return `${words}${beside}; ${countedText(pairs, 'pair')}${problem === undefined ? '' : `; ${problem}`}`;
}

/** Returns the time that a rule adds at p50 in words. A time is named only if it is decided. */
export function addedText(added: AddedTime): string {
  switch (added.verdict) {
    case 'adds':
      return intervalText(added.p50);
    case 'noDifference':
      return `no difference found (${boundsText(added.p50)})`;
    case 'undecided':
      return `undecided: ${UNDECIDED[added.why]}${added.p50 === undefined ? '' : ` (${boundsText(added.p50)})`}`;
  }
}

function tailText({ verdict, p99 }: AddedTime): string {
  if (verdict !== 'adds' || p99 === undefined) return '–';
  return p99.lo > 0 ? intervalText(p99) : `undecided (${boundsText(p99)})`;
}

const boundsText = ({ lo, hi }: AddedMs): string => `${timeText(lo)} to ${timeText(hi)}`;
const intervalText = (figure: AddedMs): string => `${timeText(figure.ms)} (${boundsText(figure)})`;

/** Returns sentences about the families of rules whose prediction is off by more than a factor of two. */
function offLines(rules: readonly RuleCost[]): string[] {
  return rules.flatMap(({ predicted, measuredOverPredicted: ratio, path }) => {
    if (predicted === undefined || ratio === undefined || (ratio <= OFF && ratio >= 1 / OFF)) return [];
    const share = ratio > 1 ? `${ratio.toFixed(1)} times` : `${(100 * ratio).toFixed(0)} % of`;
    return [`${predicted.family}: the server takes ${share} the predicted time (${path})`];
  });
}

function definitionLines({ definitions: { removed, left }, run }: RuleCostReport): string[] {
  const gone = `${times(removed.length, 'temporary definition')} removed`;
  return left.length === 0 ? [gone] : [gone, ...leftLines({ removed, left }), `assay load --cluster --clean-up ${run} removes them`];
}

/** Returns one line for each definition that is left, with the reason. */
export const leftLines = ({ left }: Removal): string[] => left.map(({ name, why }) => `${name} is left: ${why}`);
