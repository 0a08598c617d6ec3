import type { PlacedFindings, StudyReport } from '#benchmark';
import { KEP_FACTOR, KEP_ITERATION_TIMES, kepMs, OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { grouped, growthText } from '#numbers';
import { drawableCharts } from '../../charts/chart.ts';
import type { ChartOf, ChartRole } from '../../charts/chart.ts';
import { standaloneChart } from '../../charts/standalone.ts';
import { fieldText, furtherFieldsText, LIMIT_TEXTS, otherSizesText, productText } from '../study-words.ts';

type FieldFindings = PlacedFindings['growsWith'][number];
type Scaling = ChartOf<'scaling'>;
type Vertical = NonNullable<Scaling['verticals']>[number];

/** Roles of a chart's lines, which determine their colours. The first line is drawn in the first role, and so on. */
const ROLES: readonly ChartRole[] = ['assay', 'shipped', 'peer', 'experiment', 'reference'];
/**
 * Highest ratio of a schema's bound to the largest measured size at which a chart shows the bound. A larger bound would compress the lines
 * into a corner.
 */
const FURTHEST_BOUND = 100;

/**
 * Returns a list with the chart of a rule's cost by the sizes of the fields that increase the cost. The list is empty if nothing can be
 * drawn.
 */
export function costCharts(rule: PlacedFindings): Scaling[] {
  const [steepest] = rule.growsWith;
  const { growsTogether: together } = rule;
  if (steepest === undefined) return [];
  const fields = rule.growsWith.slice(0, ROLES.length - (together ? 1 : 0));
  const left = rule.growsWith.length - fields.length;
  const units = [...new Set(fields.map(({ unit }) => unit))];
  return drawn({
    kind: 'scaling',
    id: 'cost',
    title: `Cost grows with ${together ? productText(together.fields) : fieldText(steepest.field)}: ${growthText((together ?? steepest).costExponent)}`,
    subtitle: 'Exact cost of one evaluation as one field grows, or several at once. Both axes are logarithmic: parallel lines grow alike.',
    x: { label: units.length === 1 ? (units[0] ?? '') : `size: ${units.join(', ')}`, unit: 'count' },
    y: { label: 'cost of one evaluation, units', unit: 'units' },
    series: [
      ...fields.map((field, i) => ({
        name: `${fieldText(field.field)}, ${field.unit}`,
        role: ROLES[i] ?? 'reference',
        points: costPoints(field),
      })),
      ...(together ? [{ name: productText(together.fields), role: 'reference' as const, points: costPoints(together) }] : []),
    ],
    verticals: [...fields.flatMap((field) => bounds(field, rule)), ...endTogether(rule)],
    horizontals: [
      { y: PER_CALL_LIMIT, label: `limit of one evaluation: ${grouped(PER_CALL_LIMIT)}` },
      { y: OBJECT_BUDGET, label: `budget of an object: ${grouped(OBJECT_BUDGET)}` },
    ],
    reading: `${fields.map(({ field, costExponent, near }) => `${fieldText(field)}: ${growthText(costExponent)}${near === undefined ? '' : `, as ${near}`}`).join('; ')}. ${endText(rule)}`,
    notShown: `${left > 0 ? `${left} more fields with which the cost grows, less steeply; ` : ''}fields with which the cost does not grow, and the other rules of the definition, which share the budget of an object.`,
  });
}

/** Returns a chart for each field for which the rule was timed: evaluation time by the size of the field. */
export function timeCharts(rule: PlacedFindings): Scaling[] {
  return rule.growsWith.flatMap((field, i) => {
    const { timeExponent, times, unit } = field;
    const sizes = times.flatMap(({ points }) => points.map(({ size }) => size)).filter((size) => size > 0);
    const growth = timeExponent === undefined ? '' : `: ${growthText(timeExponent.value)}`;
    const bands = unit === 'items' && sizes.length > 0 ? [kepBand(Math.min(...sizes), Math.max(...sizes))] : [];
    return drawn({
      kind: 'scaling',
      id: `time-${i + 1}`,
      title: `Time grows with ${fieldText(field.field)}${growth}`,
      subtitle: 'Time of one evaluation as the field grows, by engine. Both axes are logarithmic.',
      x: { label: unit, unit: 'count' },
      y: { label: 'time of one evaluation', unit: 'ms' },
      series: times.map(({ engine, points }, line) => ({
        name: fieldText(engine),
        role: ROLES[line] ?? 'reference',
        points: bySize(points.map(({ size, ms }) => ({ x: size, y: ms }))),
      })),
      bands,
      verticals: bounds(field, rule),
      reading: `${timeExponent === undefined ? 'Too little was timed to tell the growth.' : `The 95 % interval of the exponent is ${timeExponent.lo.toFixed(2)} to ${timeExponent.hi.toFixed(2)}.`}${bands.length === 0 ? '' : ` The band is the time that KEP-2876 gives for iterating over lists, up to ${KEP_FACTOR} times that: ${KEP_ITERATION_TIMES.map(({ elements, ms }) => `${grouped(elements)} elements in ${ms} ms`).join(', ')}. Between and before these sizes it is a straight line.`}`,
      notShown: 'reading the object and the checks of its schema. Times are those of one machine; costs are the same everywhere.',
    });
  });
}

const costPoints = ({ points }: Pick<FieldFindings, 'points'>) => bySize(points.map(({ size, cost }) => ({ x: size, y: cost })));

const drawn = (chart: Scaling): Scaling[] => drawableCharts([chart]).filter((one) => one.kind === 'scaling');

const bySize = <P extends { readonly x: number }>(points: readonly P[]): P[] => points.toSorted((a, b) => a.x - b.x);

/** Returns vertical chart lines at the schema's bound of a field and at the smallest size of the field that a server refuses. */
function bounds({ field, unit, bound, points, times }: FieldFindings, { budgetEndsAt: end }: PlacedFindings): Vertical[] {
  const largest = Math.max(0, ...[...points, ...times.flatMap((one) => one.points)].map(({ size }) => size));
  const isNear = bound !== undefined && bound > 0 && bound <= FURTHEST_BOUND * largest;
  return [
    ...(isNear ? [{ x: bound, label: `bound of ${fieldText(field)}: ${grouped(bound)}` }] : []),
    ...(end?.field === field && end.unit === unit && end.together === undefined
      ? [{ x: end.size, label: `refused from ${grouped(end.size)} on` }]
      : []),
  ];
}

/** Returns a vertical chart line at the smallest size at which a server refuses an object in which several fields have this size. */
const endTogether = ({ budgetEndsAt: end }: PlacedFindings): Vertical[] =>
  end?.together === undefined ? [] : [{ x: end.size, label: `refused from ${grouped(end.size)} each on` }];

function endText({ budgetEndsAt: end }: PlacedFindings): string {
  if (end === undefined) return 'The study found no size at which a server refuses the write.';
  return `A server refuses the write from ${grouped(end.size)} ${end.unit} of ${fieldText(end.field)}${furtherFieldsText(end)} on${otherSizesText(end)}, by ${LIMIT_TEXTS[end.limit]}.`;
}

/** Returns a band with the evaluation times that KEP-2876 states for list sizes between `from` and `to`. */
function kepBand(from: number, to: number): NonNullable<Scaling['bands']>[number] {
  const between = KEP_ITERATION_TIMES.map(({ elements }) => elements).filter((size) => size > from && size < to);
  const points = [from, ...between, to].map((x) => ({ x, lo: kepMs(x), hi: KEP_FACTOR * kepMs(x) }));
  return { name: `KEP-2876, iterating: up to ${KEP_FACTOR} times its figure`, points };
}

/**
 * Returns the cost chart of the most expensive rule that has points to draw, as a standalone SVG file. Returns undefined if no rule has
 * such points.
 */
export function costliestChart({ rules }: Pick<StudyReport, 'rules'>): string | undefined {
  const costliestFirst = rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0));
  for (const rule of costliestFirst) {
    const [chart] = costCharts(rule);
    if (chart !== undefined) return standaloneChart(chart);
  }
  return undefined;
}
