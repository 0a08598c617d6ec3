import type { JsonValue } from '#go';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Server } from '#kube';
import { isCostError, costText } from '../definition/admission/rule-costs.ts';
import { expressionEnvironments } from '../definition/admission/expression-environments.ts';
import type { ExpressionEnvironments } from '../definition/admission/expression-environments.ts';
import { prepareForCreate, withoutDisabledFields } from '../definition/admission/prepare.ts';
import { readLeniently, readStored } from '../definition/admission/read-definition.ts';
import type { DefinitionBody } from '../definition/admission/read-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import type { DefinitionOptions } from '../definition/judge-definition.ts';
import type { DefinitionContext } from '../schema/decode-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { compileCauses, causeOfDifference, causesOfNames } from './compile-causes.ts';
import type { UncompiledExpression, VerdictCause } from './compile-causes.ts';
import type { PricingServer, PricedExpressions, PricedExpression, EstimateSwitch } from './definition-prices.ts';
import { reportedDifference } from './reported-causes.ts';
import type { MinorVerdict } from './reported-causes.ts';
import { switchesBetween } from '#cel';
import type { DifferenceName } from '#cel';
import { pricesAmong, DefinitionPrices, keyOf, sizesBetween } from './definition-prices.ts';

/** Rule or messageExpression because of which two minor versions have different verdicts. */
export interface ConcernedRule {
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly isMessage: boolean;
  /** Costs in cost units before and after; undefined if only one minor version compiles the rule. */
  readonly costs: Readonly<Record<'from' | 'to', bigint>> | undefined;
}

/** Why two minor versions have different verdicts on a definition, or report different texts about it. */
export interface VerdictCauses {
  /** `verdict` if only one of them accepts the definition, `texts` if only their errors or warnings can differ. */
  readonly about: 'verdict' | 'texts';
  /** Causes that together explain the difference. Empty if no cause is known, or if costs have more than three causes. */
  readonly causes: readonly VerdictCause[];
  /** True if costs are a reason, but more than three differences are necessary to explain them. */
  readonly hasSeveral: boolean;
  /** Rules that the causes concern, the largest change of the cost first. */
  readonly rules: readonly ConcernedRule[];
  /** Sum of the costs of each version of the definition before and after; empty if no sum exceeds its limit. */
  readonly sums: CostCauses['sums'];
}

/** Server that judges a write of a definition. */
export interface JudgingServer extends Server {
  /** Stored definition that the write updates; undefined for a create. */
  readonly stored: JsonValue | undefined;
}

/**
 * Explains why two servers have different verdicts on a definition, or report different texts about it. The minor version of the first
 * server is the earlier one.
 *
 * Errors and warnings contain the entries of ledgers that decide about them. The dates of declarations, and what the parser and the checker
 * read, explain expressions that only one server compiles. Experiments explain costs, see {@link costCauses}.
 */
export function verdictCauses(
  document: DefinitionBody,
  servers: readonly [JudgingServer, JudgingServer],
  options: Omit<DefinitionOptions, 'minor' | 'gates'> = {},
): VerdictCauses {
  const judged = ({ minor, gates, stored }: JudgingServer): MinorVerdict => ({
    minor,
    verdict: judgeDefinition(document, stored, { ...options, minor, gates }),
  });
  const [before, after] = [judged(servers[0]), judged(servers[1])];
  const about = before.verdict.accepted === after.verdict.accepted ? 'texts' : 'verdict';
  const { changes, open } = reportedDifference(before, after);
  const causes = new Map<string, VerdictCause>(changes.map(({ name, sentence, upstream }) => [name, { name, sentence, upstream }]));
  const ofCosts = open.some(({ error }) => error !== undefined && isCostError(error))
    ? costsOf(document, servers, about, options)
    : undefined;
  const isCompiled = open.some(({ error }) => error !== undefined && !isCostError(error));
  const compiled = isCompiled ? compiledOf(document, servers, about, options) : [];
  for (const cause of compiled.flatMap((one) => one.changes)) causes.set(cause.name, cause);
  for (const cause of causesOfNames(compiled.flatMap(({ names }) => names))) causes.set(cause.name, cause);
  for (const cause of (ofCosts?.causes ?? []).map(causeOfDifference)) causes.set(cause.name, cause);
  const exceeded = [...(ofCosts?.sums ?? [])].filter(([, { from, to }]) => exceedsSum(from) || exceedsSum(to));
  return {
    about,
    causes: [...causes.values()],
    hasSeveral: ofCosts?.causes.length === 0,
    rules: [...compiled.map(uncompiledRule), ...(ofCosts === undefined ? [] : concernedRules(ofCosts))],
    sums: new Map(exceeded),
  };
}

/** Definition as the servers prepare it for a create; undefined if it cannot be read. */
function preparedDefinition(document: DefinitionBody, { gates }: JudgingServer, options: DefinitionContext): Definition | undefined {
  const read = readLeniently(document, options);
  return read && prepareForCreate(withoutDisabledFields(read, undefined, gates));
}

function costsOf(
  document: DefinitionBody,
  servers: readonly [JudgingServer, JudgingServer],
  about: VerdictCauses['about'],
  options: DefinitionContext,
): CostCauses | undefined {
  const definition = preparedDefinition(document, servers[1], options);
  if (definition === undefined) return undefined;
  const [from, to] = servers.map(({ minor, stored }) => ({ minor, stored: storedOf(stored) })) as [PricingServer, PricingServer];
  return costCauses(definition, [from, to], about === 'verdict' ? refusalByCosts : exceededCosts);
}

function compiledOf(
  document: DefinitionBody,
  servers: readonly [JudgingServer, JudgingServer],
  about: VerdictCauses['about'],
  options: DefinitionContext,
): readonly UncompiledExpression[] {
  const definition = preparedDefinition(document, servers[1], options);
  if (definition === undefined) return [];
  const [before, after] = servers.map(({ minor, stored }) => expressionEnvironments(minor, storedOf(stored)));
  const environments = [before, after] as [ExpressionEnvironments, ExpressionEnvironments];
  return compileCauses({ definition, environments }).filter(({ compilesInOne }) => about === 'texts' || compilesInOne);
}

const storedOf = (stored: JsonValue | undefined): Definition | undefined => (stored === undefined ? undefined : readStored(stored));

const uncompiledRule = ({ version, path, text, isMessage }: UncompiledExpression): ConcernedRule => ({
  version,
  path,
  text,
  isMessage,
  costs: undefined,
});

/** Returns the expressions over the limit of an expression if there are any, and else those of versions whose sum exceeds its limit. */
function concernedRules({ changed, sums }: CostCauses): ConcernedRule[] {
  const exceeding = changed.filter(({ from, to }) => from > EXPRESSION_COST_LIMIT || to > EXPRESSION_COST_LIMIT);
  const contributing = changed.filter(({ expression }) => {
    const { from = 0n, to = 0n } = sums.get(expression.version) ?? {};
    return exceedsSum(from) || exceedsSum(to);
  });
  const concerned = exceeding.length > 0 ? exceeding : contributing;
  return concerned.map(({ expression: { version, path, text, isMessage }, from, to }) => ({
    version,
    path,
    text,
    isMessage,
    costs: { from, to },
  }));
}

const exceedsSum = (sum: bigint): boolean => sum > SCHEMA_COST_LIMIT;

/** Largest number of switches that are set back together. If more are necessary, the causes are several. */
const MAX_TOGETHER = 3;

/** Expression with its costs before and after, in cost units. */
interface ChangedExpression {
  readonly expression: Pick<PricedExpression, 'version' | 'path' | 'text' | 'isMessage'>;
  readonly from: bigint;
  readonly to: bigint;
}

/** Causes of the difference between two minor versions in whether a cost limit makes a server refuse a definition. */
interface CostCauses {
  /** Entries of `DIFFERENCES` that together cause the difference. Empty if more than three of them are necessary. */
  readonly causes: readonly DifferenceName[];
  /** Expressions whose costs the causes change and that exceed a limit or contribute to an exceeded sum, the largest change first. */
  readonly changed: readonly ChangedExpression[];
  /** Sum of the costs of each version of the definition before and after, in cost units. */
  readonly sums: ReadonlyMap<string, Readonly<Record<'from' | 'to', bigint>>>;
}

/**
 * Finds by experiment why the costs of a definition have different outcomes on two servers, such as a refusal on one of them. Sets switches
 * of the later server back to the setting of the other one: first each switch alone, then pairs, then triples. The first set for which the
 * outcome for the whole definition changes back is the cause. Returns undefined if both outcomes are the same.
 *
 * Only expressions that compile on both servers are compared.
 *
 * A switch for a whole new model of costs is set back last, because its named parts say more.
 */
function costCauses(
  definition: Definition,
  [from, to]: readonly [PricingServer, PricingServer],
  outcome: (priced: PricedExpressions) => string,
): CostCauses | undefined {
  const [all, prices] = [new DefinitionPrices(definition, from), new DefinitionPrices(definition, to)];
  // Compares only rules that both servers compile. Other rules have at most one cost.
  const keys = new Set(all.own.expressions.map(keyOf));
  const compared = new Set(prices.own.expressions.map(keyOf).filter((key) => keys.has(key)));
  const [before, after] = [pricesAmong(all.own, compared), pricesAmong(prices.own, compared)];
  if (outcome(before) === outcome(after)) return undefined;
  const read = new Set(after.expressions.flatMap((one) => [...one.read]));
  const named: EstimateSwitch[] = [
    ...switchesBetween(from.minor, to.minor).filter((name) => read.has(name)),
    ...sizesBetween(from.minor, to.minor),
  ];
  const parts = named.filter((name) => name !== WHOLE_MODEL);
  for (const switches of [...subsets(parts), ...subsets(named).filter((set) => set.includes(WHOLE_MODEL))]) {
    const reverted = pricesAmong(prices.under(new Set(switches), from.minor), compared);
    if (outcome(reverted) === outcome(before)) return found(switches, before, after, reverted);
  }
  return found([], before, after, before);
}

/** Returns if a cost limit makes a server refuse a definition, as an outcome of {@link costCauses}. */
const refusalByCosts = ({ exceeds }: PricedExpressions): string => String(exceeds);

/** Returns the exceeded limits with the factors that errors show, as an outcome of {@link costCauses}. */
function exceededCosts({ expressions, sums }: PricedExpressions): string {
  const words = (what: string, cost: bigint, limit: bigint): string[] => (cost > limit ? [costText(what, cost, limit)] : []);
  return [
    ...expressions.flatMap((one) => words(keyOf(one), one.cost, EXPRESSION_COST_LIMIT)),
    ...[...sums].flatMap(([version, sum]) => words(version, sum, SCHEMA_COST_LIMIT)),
  ].join('\n');
}

/** Switch for the package of cel-go that computes costs since 1.38. The other switches of 1.38 are parts of this package. */
const WHOLE_MODEL = 'costsAreModelled';

/** Returns all sets of one switch, then those of two and of three. */
function subsets(switches: readonly EstimateSwitch[]): EstimateSwitch[][] {
  const ofSize = (size: number, from: number): EstimateSwitch[][] =>
    size === 0 ? [[]] : switches.slice(from).flatMap((one, i) => ofSize(size - 1, from + i + 1).map((rest) => [one, ...rest]));
  return Array.from({ length: MAX_TOGETHER }, (_, i) => ofSize(i + 1, 0)).flat();
}

function found(
  causes: readonly DifferenceName[],
  before: PricedExpressions,
  after: PricedExpressions,
  reverted: PricedExpressions,
): CostCauses {
  const costs = ({ expressions }: PricedExpressions): Map<string, bigint> => new Map(expressions.map((one) => [keyOf(one), one.cost]));
  const [costBefore, costReverted] = [costs(before), costs(reverted)];
  const changed = after.expressions.flatMap((expression): ChangedExpression[] => {
    const from = costBefore.get(keyOf(expression));
    if (from === undefined || costReverted.get(keyOf(expression)) === expression.cost) return [];
    return [{ expression, from, to: expression.cost }];
  });
  const change = ({ from, to }: ChangedExpression): bigint => (from > to ? from - to : to - from);
  const sums = new Map([...after.sums].map(([version, to]) => [version, { from: before.sums.get(version) ?? 0n, to }]));
  return { causes, changed: changed.sort((a, b) => (change(a) < change(b) ? 1 : change(a) > change(b) ? -1 : 0)), sums };
}
