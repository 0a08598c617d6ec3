import type { ChartOf } from '#report/charts';
import { EXPRESSION_COST_LIMIT, minorWords } from '#kube';
import type { Minor } from '#kube';
import type { PlacedMatrix } from '../place-matrix.ts';

type Group = ChartOf<'cloud'>['groups'][number];

/** Share of the limit in percent at which rules with an even larger share are drawn. */
const LARGEST = 10_000;
/** Share of the limit in percent above which a server refuses a definition. */
const LIMIT = 100;

/**
 * Returns a chart of the share of the cost limit that each rule takes on the first and on the last compared version. A rule must have a cost on
 * both versions. The rows must contain the costs of all rules.
 */
export function matrixChart({ minors, definitions }: PlacedMatrix): ChartOf<'cloud'> {
  const [first, last] = [minors[0] as Minor, minors.at(-1) as Minor];
  const points = definitions.flatMap(({ rules = [] }) =>
    rules.flatMap(({ cost }) => {
      const [x, y] = [shareOf(cost[first]), shareOf(cost[last])];
      return x > 0 && y > 0 ? [{ x, y }] : [];
    }),
  );
  const group = (name: string, role: Group['role'], holds: (x: number, y: number) => boolean): Group => ({
    name,
    role,
    points: points.filter(({ x, y }) => holds(x, y)).map(({ x, y }) => [x, y]),
  });
  const refused = group(`exceeds the limit on ${last} only`, 'assay', (x, y) => x <= LIMIT && y > LIMIT);
  const accepted = group(`exceeds the limit on ${first} only`, 'peer', (x, y) => x > LIMIT && y <= LIMIT);
  const changed = points.filter(({ x, y }) => x !== y).length;
  return {
    kind: 'cloud',
    id: 'shares',
    title: `${refused.points.length} of ${points.length} rules exceed the limit of a rule on ${last} only, and ${accepted.points.length} on ${first} only`,
    subtitle: `Estimated cost of each rule as a share of the limit, on ${minorWords(first)} and on ${minorWords(last)}`,
    reading: `Each point is a rule. On the diagonal, both versions estimate the same cost: ${points.length - changed} of ${points.length} rules. Above 100 %, a server refuses the definition.`,
    notShown: `Sums of all rules of a version, which have a limit of their own. Costs above ${LARGEST / 100} times the limit are drawn there.`,
    x: { label: `share of the limit on ${first}`, unit: 'percent' },
    y: { label: `share of the limit on ${last}`, unit: 'percent' },
    groups: [
      group('accepted by both', 'reference', (x, y) => x <= LIMIT && y <= LIMIT),
      refused,
      accepted,
      group('exceeds the limit on both', 'experiment', (x, y) => x > LIMIT && y > LIMIT),
    ].filter(({ points: some }) => some.length > 0),
    outliers: [],
    diagonals: [{ factor: 1, label: 'same cost' }],
    verticals: [{ x: LIMIT, label: 'limit' }],
  };
}

/** Returns the share of the limit in percent, and 0 for a rule without a cost. */
function shareOf(cost: string | undefined): number {
  if (cost === undefined || !/^\d+$/.test(cost)) return 0;
  return Math.min(LARGEST, (100 * Number(cost)) / Number(EXPRESSION_COST_LIMIT));
}
