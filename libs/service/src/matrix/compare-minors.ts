import type {
  Additions,
  Envelope,
  ObjectRow as AnsweredObject,
  DefinitionRow as AnsweredDefinition,
  PolicyReport,
  PolicyRow,
  Verdict,
} from '#documents';
import type { CausesOfDefinitions } from '../causes/find-causes.ts';
import type { Minor, Status } from '#kube';
import { writeCost } from '../what-if/policy-effect.ts';
import type { JudgedDefinition } from '#runner';
import { inMinor } from '#documents';
import { judgeObjects, prepareBatch, reviewPolicies } from '../judge/prepared-batch.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Values by Kubernetes minor version, for each minor version that was checked. */
export type ByMinor<T> = Readonly<Partial<Record<Minor, T>>>;

/** Complete Status objects of the refusals, by minor version; present only if they were requested. */
interface Refusals {
  readonly statuses?: ByMinor<Status>;
}

/** Verdicts of several Kubernetes minor versions on the creation of one definition, with the rules whose estimated cost differs. */
export interface DefinitionRow extends AnsweredDefinition, Refusals {
  /** Estimated cost of every rule by minor version, as in `changingRules`; present only if they were requested. */
  readonly rules?: readonly { readonly version: string; readonly path: string; readonly cost: ByMinor<string> }[];
}

/** Verdicts of several Kubernetes minor versions on one object, with its cost in each minor version. */
export interface ObjectRow extends AnsweredObject, Refusals {}

/** Verdicts of several minor versions on the creation of one policy or binding. */
export interface PolicyMinors extends PolicyRow, Refusals {}

/** Why the compared versions differ on each definition, and what makes all of them accept it. */
export interface MatrixReasons {
  readonly causes: CausesOfDefinitions;
  readonly additions: readonly (Additions | undefined)[];
}

/** Returns the row of the definition at index `i` with its causes and additions. */
export function withReasons(row: DefinitionRow, { causes, additions }: MatrixReasons, i: number): DefinitionRow {
  return { ...row, ...(causes[i]?.length && { causes: causes[i] }), ...(additions[i] && { additions: additions[i] }) };
}

/** Parts of rows that only some callers need. */
export interface RowContent {
  /** True if rows contain the complete Status objects of refusals, including their causes. */
  readonly withStatuses?: boolean;
  /** True if the rows of definitions contain the costs of all rules. Otherwise, they contain only costs that differ. */
  readonly withRules?: boolean;
}

/** Number of rules that are compared in one step. */
const STEP_RULES = 500;

/**
 * Compares the verdicts of all Kubernetes minor versions on one definition, and returns the comparison as a row of the matrix. `i` is the
 * index of the definition in the batch. `columns` contains the verdicts of each minor version, in the order of the minor versions. Yields
 * from time to time, so that other work can run.
 */
export function* compareDefinition(
  columns: readonly MinorJudgement[],
  i: number,
  { withStatuses = false, withRules = false }: RowContent = {},
): Generator<undefined, DefinitionRow> {
  const accepted = across(columns, ({ judged }) => judged[i]?.report.accepted);
  const messages = across(columns, ({ judged }) => judged[i]?.report.status?.message);
  const warnings = across(columns, ({ judged }) => (judged[i]?.report.warnings.length ? judged[i].report.warnings : undefined));
  // Versions with equal prices share one list of rules.
  const priceLists = new Map(columns.map(({ judged }) => [judged[i]?.rules, pricesOf(judged[i]?.rules)] as const));
  const lists = [...priceLists.values()];
  const changingRules: DefinitionRow['changingRules'][number][] = [];
  const rules: NonNullable<DefinitionRow['rules']>[number][] = [];
  for (const [n, { version, path, rule }] of (columns.at(-1)?.judged[i]?.rules ?? []).entries()) {
    if (n % STEP_RULES === 0) yield;
    const key = `${version} ${path}`;
    const first = lists[0]?.get(key);
    const isSame = lists.every((prices) => prices.get(key) === first);
    if (isSame && !withRules) continue;
    const cost = across(columns, ({ judged }) => priceLists.get(judged[i]?.rules)?.get(key));
    if (withRules) rules.push({ version, path, cost });
    if (!isSame) changingRules.push({ version, path, rule, cost });
  }
  const changes = [accepted, messages, warnings].some((values) => differs(values, columns)) || changingRules.length > 0;
  const statuses = withStatuses && { statuses: across(columns, ({ judged }) => judged[i]?.report.status) };
  const { name = '', composite } = columns[0]?.judged[i]?.report ?? {};
  const all = { accepted, messages, warnings, ...statuses, changingRules, ...(withRules && { rules }), changes };
  return { name, ...(composite !== undefined && { composite }), ...all };
}

/**
 * Returns the costs of a definition's rules in one minor version, by version and path. If several rules have the same path, only the first
 * is included.
 */
function pricesOf(rules: JudgedDefinition['rules']): ReadonlyMap<string, string> {
  const prices = new Map<string, string>();
  for (const { version, path, error, totalCost } of rules ?? []) {
    const key = `${version} ${path}`;
    if (!prices.has(key)) prices.set(key, error === undefined ? totalCost : 'does not compile');
  }
  return prices;
}

/**
 * Returns the verdicts of all minor versions on the object at index `i`. Each element of `columns` contains the verdicts of one minor
 * version.
 */
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

/**
 * Returns the verdicts of all minor versions on the policy or binding at index `i`. Each element of `columns` contains the verdicts of one
 * minor version. Returns undefined if no minor version has a verdict on this policy or binding.
 */
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

/** Verdicts of one Kubernetes minor version on definitions, policies and objects. */
export interface MinorJudgement {
  readonly minor: Minor;
  readonly judged: readonly JudgedDefinition[];
  readonly verdicts: readonly Verdict[];
  /** Server's answers to the creation of policies and bindings; undefined if there are none, or if the review was stopped. */
  readonly policies?: readonly PolicyReport[] | undefined;
}

/** Kubernetes minor version, with its verdicts on the definitions. */
interface KnownMinor {
  readonly minor: Minor;
  readonly known: JudgedTexts;
}

/**
 * Computes the verdicts of a server of one Kubernetes minor version on the objects, under the definitions and policies. `known` contains
 * this version's verdicts on the definitions.
 */
export async function judgeInMinor(
  engine: Engine,
  documents: Envelope,
  { minor, known }: KnownMinor,
  signal?: AbortSignal,
): Promise<MinorJudgement> {
  // The comparison needs only verdicts, not the objects or their costs.
  const options = { ...inMinor(documents.options, minor), returnObjects: false, explain: false };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal, known });
  const how = { typeChecking: false, fieldValidation: options.fieldValidation, signal };
  const policies = prepared.policies && (await reviewPolicies(engine, prepared.policies, how));
  return { minor, judged: prepared.judged, policies, verdicts: await judgeObjects(engine, prepared, documents.objects, signal) };
}
