import { switchesBetween } from '#cel';
import type { DifferenceName } from '#cel';
import type { Minor } from '#kube';
import type { Definition } from '../schema/definition.ts';
import { DefinitionPrices, keyOf } from './definition-prices.ts';
import type { Priced, PricedExpression, Switch } from './definition-prices.ts';
import { sizesBetween } from './size-switches.ts';

/** Largest number of switches that are set back together. If more are necessary, the causes are several. */
const MOST_TOGETHER = 3;

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
 * Finds by experiment why costs make only one of two minor versions refuse a definition. Sets switches of the later minor version back to
 * the setting of the other one: first each switch alone, then pairs, then triples. The first set for which the verdict of the whole
 * definition changes back is the cause. Returns undefined if the costs give both minor versions the same verdict, or if not all expressions
 * compile in both.
 *
 * A switch for a whole new model of costs is set back last, because its named parts say more.
 */
export function costCauses(definition: Definition, from: Minor, to: Minor): CostCauses | undefined {
  const before = new DefinitionPrices(definition, from).own;
  const prices = new DefinitionPrices(definition, to);
  // A rule that compiles in one of them only has no costs to compare.
  if (before.exceeds === prices.own.exceeds || before.expressions.length !== prices.own.expressions.length) return undefined;
  const read = new Set(prices.own.expressions.flatMap((one) => [...one.read]));
  const named: Switch[] = [...switchesBetween(from, to).filter((name) => read.has(name)), ...sizesBetween(from, to)];
  const parts = named.filter((name) => name !== WHOLE_MODEL);
  for (const switches of [...subsets(parts), ...subsets(named).filter((set) => set.includes(WHOLE_MODEL))]) {
    const reverted = prices.under(new Set(switches), from);
    if (reverted.exceeds === before.exceeds) return found(switches, before, prices.own, reverted);
  }
  return found([], before, prices.own, before);
}

/** Switch for the package of cel-go that computes costs since 1.38. The other switches of 1.38 are parts of this package. */
const WHOLE_MODEL = 'costsAreModelled';

/** Returns all sets of one switch, then those of two and of three. */
function subsets(switches: readonly Switch[]): Switch[][] {
  const ofSize = (size: number, from: number): Switch[][] =>
    size === 0 ? [[]] : switches.slice(from).flatMap((one, i) => ofSize(size - 1, from + i + 1).map((rest) => [one, ...rest]));
  return Array.from({ length: MOST_TOGETHER }, (_, i) => ofSize(i + 1, 0)).flat();
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
