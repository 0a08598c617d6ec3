import { switchesBetween } from '#cel';
import type { DifferenceName } from '#cel';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import { costText } from '../definition/admission/cost-text.ts';
import type { Definition } from '../schema/definition.ts';
import { among, DefinitionPrices, keyOf } from './definition-prices.ts';
import type { Priced, PricedExpression, PricingServer, Switch } from './definition-prices.ts';
import { sizesBetween } from './size-switches.ts';

/** Largest number of switches that are set back together. If more are necessary, the causes are several. */
const MAX_TOGETHER = 3;

/** Expression with its costs before and after, in cost units. */
export interface ChangedExpression {
  readonly expression: Pick<PricedExpression, 'version' | 'path' | 'text' | 'isMessage'>;
  readonly from: bigint;
  readonly to: bigint;
}

/** Causes of the difference between two minor versions in whether a cost limit makes a server refuse a definition. */
export interface CostCauses {
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
export function costCauses(
  definition: Definition,
  [from, to]: readonly [PricingServer, PricingServer],
  outcome: (priced: Priced) => string,
): CostCauses | undefined {
  const [all, prices] = [new DefinitionPrices(definition, from), new DefinitionPrices(definition, to)];
  // If only one server compiles a rule, there are no two costs to compare.
  const keys = new Set(all.own.expressions.map(keyOf));
  const compared = new Set(prices.own.expressions.map(keyOf).filter((key) => keys.has(key)));
  const [before, after] = [among(all.own, compared), among(prices.own, compared)];
  if (outcome(before) === outcome(after)) return undefined;
  const read = new Set(after.expressions.flatMap((one) => [...one.read]));
  const named: Switch[] = [
    ...switchesBetween(from.minor, to.minor).filter((name) => read.has(name)),
    ...sizesBetween(from.minor, to.minor),
  ];
  const parts = named.filter((name) => name !== WHOLE_MODEL);
  for (const switches of [...subsets(parts), ...subsets(named).filter((set) => set.includes(WHOLE_MODEL))]) {
    const reverted = among(prices.under(new Set(switches), from.minor), compared);
    if (outcome(reverted) === outcome(before)) return found(switches, before, after, reverted);
  }
  return found([], before, after, before);
}

/** Returns if a cost limit makes a server refuse a definition, as an outcome of {@link costCauses}. */
export const refusalByCosts = ({ exceeds }: Priced): string => String(exceeds);

/** Returns the exceeded limits with the factors that errors show, as an outcome of {@link costCauses}. */
export function exceededCosts({ expressions, sums }: Priced): string {
  const words = (what: string, cost: bigint, limit: bigint): string[] => (cost > limit ? [costText(what, cost, limit)] : []);
  return [
    ...expressions.flatMap((one) => words(keyOf(one), one.cost, EXPRESSION_COST_LIMIT)),
    ...[...sums].flatMap(([version, sum]) => words(version, sum, SCHEMA_COST_LIMIT)),
  ].join('\n');
}

/** Switch for the package of cel-go that computes costs since 1.38. The other switches of 1.38 are parts of this package. */
const WHOLE_MODEL = 'costsAreModelled';

/** Returns all sets of one switch, then those of two and of three. */
function subsets(switches: readonly Switch[]): Switch[][] {
  const ofSize = (size: number, from: number): Switch[][] =>
    size === 0 ? [[]] : switches.slice(from).flatMap((one, i) => ofSize(size - 1, from + i + 1).map((rest) => [one, ...rest]));
  return Array.from({ length: MAX_TOGETHER }, (_, i) => ofSize(i + 1, 0)).flat();
}

function found(causes: readonly DifferenceName[], before: Priced, after: Priced, reverted: Priced): CostCauses {
  const costs = ({ expressions }: Priced): Map<string, bigint> => new Map(expressions.map((one) => [keyOf(one), one.cost]));
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
