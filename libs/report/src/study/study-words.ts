import type { GrowsWith, PlacedFindings, StudyReport } from '#benchmark';
import { grouped, growthText, shortCost, timesText } from '#numbers';
import { cutText, shownInLine } from '../forms/shown-text.ts';

/** Highest number of characters that are shown of a field path. */
const FIELD_WIDTH = 80;
/** Ratio from which on ratios are shown without decimals, because the decimals of a large ratio mean nothing. */
const LARGE_RATIO = 1000;

/** Descriptions of the Kubernetes cost limits for rules. A server rejects a create or update of an object that exceeds such a limit. */
export const LIMIT_TEXTS = { call: 'the limit of one evaluation', object: 'the budget of an object' } as const;

/**
 * Returns a field path for titles and labels: on one line, and shortened if it is long. Backticks are replaced, because in Markdown they
 * would begin a code span.
 */
export const fieldText = (field: string): string => cutText(shownInLine(field).replaceAll('`', "'"), FIELD_WIDTH);

/** Returns a cost as text: `1,234 units`. */
export const unitsText = (cost: number | string): string => `${shortCost(String(cost))} units`;

/**
 * Returns a text that lists further fields, such as ` and of spec.b`. A cost limit stops the rule only if these fields grow to the same
 * size as the main field. The text is empty if no such field exists.
 */
export const furtherFieldsText = ({ together = [] }: NonNullable<PlacedFindings['budgetEndsAt']>): string =>
  together.map((field) => ` and of ${fieldText(field)}`).join('');

/** Returns a text with the fields whose sizes multiply in the cost, such as `spec.a × spec.b`. */
export const productText = (fields: readonly Pick<GrowsWith, 'field'>[]): string => fields.map(({ field }) => fieldText(field)).join(' × ');

/**
 * Returns the fields that determine how fast a rule's cost grows. They are the fields whose sizes multiply in the cost, or the one field
 * with the steepest growth if no sizes multiply. The list is empty if the cost does not grow.
 */
export const growingFields = ({ growsTogether, growsWith }: PlacedFindings): readonly Pick<GrowsWith, 'field' | 'unit'>[] =>
  growsTogether?.fields ?? growsWith.slice(0, 1);

/**
 * Returns the growth law of a rule's cost as text, such as `n²` or `n^1.40`. `n` is the size of the {@link growingFields}. The text is
 * empty if the cost does not grow.
 */
export function growthName({ growsTogether, growsWith: [steepest] }: PlacedFindings): string {
  const growth = growsTogether ?? steepest;
  return growth === undefined ? '' : (growth.near ?? growthText(growth.costExponent));
}

/**
 * Returns the smallest size of a field at which a server refuses the object because of the cost, as text. `alone` marks a size that was found
 * with small sizes of all other fields. If the field is not the one with the steepest growth, the text names it. If the schema's bounds prevent a refusal, returns in parentheses the size that would be refused
 * without the bounds. Returns an empty text if no such size is known.
 */
export function refusedFrom(rule: PlacedFindings): string {
  const {
    budgetEndsAt: end,
    growsWith: [steepest],
    growsTogether,
  } = rule;
  if (end !== undefined) {
    const isOther = !growingFields(rule).some(({ field, unit }) => field === end.field && unit === end.unit);
    const where = end.together === undefined ? (isOther ? ` of ${fieldText(end.field)}` : '') : ' in each field';
    return `${grouped(end.size)}${where}${end.limit === 'object' ? ' (object)' : ''}${end.alone === true ? ' alone' : ''}`;
  }
  // Fields that multiply reach the limit at smaller sizes than each field alone.
  if (growsTogether?.wouldEndAt !== undefined) return `(${grouped(growsTogether.wouldEndAt)} in each field)`;
  return steepest?.wouldEndAt === undefined ? '' : `(${grouped(steepest.wouldEndAt)})`;
}

/**
 * Returns a text with the sizes of the other fields in the smallest write that a cost limit refuses, such as `, with 253 code points of
 * spec.names[]`. If all other fields are small, the text says so. The text is empty if there are no other fields.
 */
export function otherSizesText({ others = [], alone }: NonNullable<PlacedFindings['budgetEndsAt']>): string {
  if (alone === true) return ', while all other fields are small';
  return others.length === 0
    ? ''
    : `, with ${others.map(({ field, unit, size }) => `${grouped(size)} ${unit} of ${fieldText(field)}`).join(' and ')}`;
}

/**
 * Returns what is said of a rule whose growing fields are `fields`, as text. If the study of the rule did not end in time, the text says so:
 * more fields may then exist. Otherwise, an empty text means that the cost grows with nothing.
 */
export const withUnfinishedNote = (fields: string, { isPartial, worst }: PlacedFindings): string =>
  isPartial ? `${fields}${fields === '' ? '' : ', '}${NOT_FINISHED}` : fields === '' && worst !== undefined ? 'nothing' : fields;

/** Text about a rule whose study did not end in time. */
export const NOT_FINISHED = 'not finished';

/** Returns a ratio as text: `1.4×`, `12,000×`. */
export const ratioText = (ratio: number): string => (ratio >= LARGE_RATIO ? `${shortCost(String(Math.round(ratio)))}×` : timesText(ratio));

/** Returns a warning that a rule's times are unreliable; undefined if no other work disturbed the measurement. */
export const disturbedText = ({ disturbed }: Pick<PlacedFindings, 'disturbed'>): string | undefined =>
  disturbed === undefined
    ? undefined
    : `Other work of the machine had the core for ${(100 * disturbed).toFixed(0)} % of the time: the times are too long, so no growth of time is reported.`;

/** Returns the text of a suggested schema bound that would keep a rule under the cost limits: `spec.list: maxItems 64 (now 1,000)`. */
export const suggestedBoundText = ({ field, keyword, suggested, before }: PlacedFindings['suggestedBounds'][number]): string =>
  `${fieldText(field)}: ${keyword} ${grouped(suggested)} (now ${before === null ? 'unbounded' : grouped(before)})`;

/**
 * Returns how a rule's cost changed since the older revision, such as `more expensive: 1,000 → 1,120 units`; `new` if the older revision
 * lacks the rule.
 */
export function costChangeText(base: NonNullable<PlacedFindings['base']>): string {
  if (base.kind !== 'compared') return base.kind;
  const { base: before, head, verdict } = base.cost;
  if (verdict === 'equal') return 'equal';
  return `${verdict === 'dearer' ? 'more expensive' : verdict}: ${shortCost(String(before))} → ${unitsText(head)}`;
}

/**
 * Returns a text that states how the evaluation time of a rule changed since the older revision, with the confidence interval and the
 * engine. Returns undefined if no times were compared.
 */
export function timeChangeText(base: NonNullable<PlacedFindings['base']>): string | undefined {
  if (base.kind !== 'compared' || base.time === undefined) return undefined;
  const { verdict, ratio, lo, hi, engine } = base.time;
  return `${verdict}: ${ratio.toFixed(2)}× [${lo.toFixed(2)}, ${hi.toFixed(2)}], ${engine}`;
}

/**
 * Returns the text that states why a server refuses a definition, or else why the study did not use the definition; undefined if neither
 * applies.
 */
export const againstText = ({
  refused,
  notStudied,
}: Pick<StudyReport['definitions'][number], 'refused' | 'notStudied'>): string | undefined =>
  refused === undefined ? notStudied : `a server refuses it: ${refused}`;

/** Returns the definitions that a server refuses or that the study could not use, with the reason. */
export const unusableDefinitions = ({ definitions }: StudyReport) =>
  definitions.flatMap(({ source, definition, refused, notStudied }) => {
    const why = againstText({ refused, notStudied });
    return why === undefined ? [] : [{ source, name: `definition ${definition ?? source}`, why }];
  });
