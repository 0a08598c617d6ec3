import type { Minor, Status } from '#kube';
import { writeCost } from '../what-if/policy-effect.ts';
import type { JudgedDefinition } from '#runner';
import type { MinorJudgement } from './judge-in-minor.ts';

/** A value for each minor that was asked. */
export type ByMinor<T> = Readonly<Partial<Record<Minor, T>>>;

/** The verdicts of the minors on one definition. */
export interface DefinitionRow {
  readonly name: string;
  readonly accepted: ByMinor<boolean>;
  /** The server's refusal, where it refuses. */
  readonly messages: ByMinor<string>;
  readonly warnings: ByMinor<readonly string[]>;
  /** The refusals whole, where they were asked for. */
  readonly statuses?: ByMinor<Status>;
  /** Rules whose total static cost (uint64 as text, or `does not compile`) is not the same everywhere. */
  readonly changingRules: readonly {
    readonly version: string;
    readonly path: string;
    readonly rule: string;
    readonly cost: ByMinor<string>;
  }[];
  readonly changes: boolean;
}

/** The verdicts of the minors on one object. */
export interface ObjectRow {
  readonly index: number;
  readonly name: string | undefined;
  readonly outcome: ByMinor<string>;
  readonly messages: ByMinor<string>;
  /** The warnings of the server. Minors without a warning are left out. */
  readonly warnings: ByMinor<readonly string[]>;
  /** The refusals whole, where they were asked for. */
  readonly statuses?: ByMinor<Status>;
  /** Cost units of rules and admission policies together; -1 if a limit stopped the rules. */
  readonly celCost: ByMinor<number>;
  /** True when outcome, text, warnings or cost are not the same everywhere. */
  readonly changes: boolean;
}

/** The verdicts of the minors on the creation of one policy or binding. */
export interface PolicyMinors {
  readonly kind: string;
  readonly name: string;
  readonly accepted: ByMinor<boolean>;
  /** The server's refusal. A minor that does not know the kind or its version judges objects without the policy; others judge them as if it were stored. */
  readonly messages: ByMinor<string>;
  readonly warnings: ByMinor<readonly string[]>;
  /** The refusals whole, where they were asked for. */
  readonly statuses?: ByMinor<Status>;
  readonly changes: boolean;
}

/** Rules that are compared in one step. */
const STEP_RULES = 500;

/** Returns one definition's row, in steps; `columns` in the order of the minors. */
export function* compareDefinition(
  columns: readonly MinorJudgement[],
  i: number,
  withStatuses = false,
): Generator<undefined, DefinitionRow> {
  const accepted = across(columns, ({ judged }) => judged[i]?.report.accepted);
  const messages = across(columns, ({ judged }) => judged[i]?.report.status?.message);
  const warnings = across(columns, ({ judged }) => (judged[i]?.report.warnings.length ? judged[i].report.warnings : undefined));
  // Minors that price all alike have one list of rules.
  const priceLists = new Map(columns.map(({ judged }) => [judged[i]?.rules, pricesOf(judged[i]?.rules)] as const));
  const lists = [...priceLists.values()];
  const changingRules: DefinitionRow['changingRules'][number][] = [];
  for (const [n, { version, path, rule }] of (columns.at(-1)?.judged[i]?.rules ?? []).entries()) {
    if (n % STEP_RULES === 0) yield;
    const key = `${version} ${path}`;
    const first = lists[0]?.get(key);
    if (lists.every((prices) => prices.get(key) === first)) continue;
    const cost = across(columns, ({ judged }) => priceLists.get(judged[i]?.rules)?.get(key));
    changingRules.push({ version, path, rule, cost });
  }
  const changes = [accepted, messages, warnings].some((values) => differs(values, columns)) || changingRules.length > 0;
  const statuses = withStatuses && { statuses: across(columns, ({ judged }) => judged[i]?.report.status) };
  return { name: columns[0]?.judged[i]?.report.name ?? '', accepted, messages, warnings, ...statuses, changingRules, changes };
}

/** Returns the costs of the rules of a definition in one minor, by version and path. The first of two rules at one path counts. */
function pricesOf(rules: JudgedDefinition['rules']): ReadonlyMap<string, string> {
  const prices = new Map<string, string>();
  for (const { version, path, error, totalCost } of rules ?? []) {
    const key = `${version} ${path}`;
    if (!prices.has(key)) prices.set(key, error === undefined ? totalCost : 'does not compile');
  }
  return prices;
}

/** Returns one object's row. */
export function compareObject(columns: readonly MinorJudgement[], i: number, withStatuses = false): ObjectRow {
  const outcome = across(columns, ({ verdicts }) => verdicts[i]?.outcome);
  const messages = across(columns, ({ verdicts }) => verdicts[i]?.status?.message);
  const warnings = across(columns, ({ verdicts }) => (verdicts[i]?.warnings.length ? verdicts[i].warnings : undefined));
  const celCost = across(columns, ({ verdicts }) => verdicts[i] && writeCost(verdicts[i]));
  const changes = [outcome, messages, warnings, celCost].some((values) => differs(values, columns));
  const name = columns.map(({ verdicts }) => verdicts[i]?.name).find((candidate) => candidate !== undefined);
  const statuses = withStatuses && { statuses: across(columns, ({ verdicts }) => verdicts[i]?.status) };
  return { index: i, name, outcome, messages, warnings, ...statuses, celCost, changes };
}

/** Returns the row of one policy or binding; undefined if no minor could be asked. */
export function comparePolicy(columns: readonly MinorJudgement[], i: number, withStatuses = false): PolicyMinors | undefined {
  const known = columns.map(({ policies }) => policies?.[i]).find((report) => report !== undefined);
  if (known === undefined) return undefined;
  const accepted = across(columns, ({ policies }) => policies?.[i]?.accepted);
  const messages = across(columns, ({ policies }) => policies?.[i]?.status?.message);
  const warnings = across(columns, ({ policies }) => (policies?.[i]?.warnings.length ? policies[i].warnings : undefined));
  const changes = [accepted, messages, warnings].some((values) => differs(values, columns));
  const statuses = withStatuses && { statuses: across(columns, ({ policies }) => policies?.[i]?.status) };
  return { kind: known.kind, name: known.name, accepted, messages, warnings, ...statuses, changes };
}

function across<T>(columns: readonly MinorJudgement[], pick: (column: MinorJudgement) => T | undefined): ByMinor<T> {
  return Object.fromEntries(columns.flatMap((column) => (pick(column) === undefined ? [] : [[column.minor, pick(column)]])));
}

function differs(values: ByMinor<unknown>, columns: readonly MinorJudgement[]): boolean {
  return new Set(columns.map(({ minor }) => JSON.stringify(values[minor]))).size > 1;
}
