import { compositeNotice } from '#documents';
import { EXPRESSION_COST_LIMIT, minorWords, MINORS, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor, SchemaChange } from '#kube';
import { factorText, grouped, percent, times } from '#numbers';
import { indented, shownInLine } from '#report';
import type { DefinitionDiff, EstimateChanges, TotalEstimates, RulePriceChange } from '#service';
import type { FailedChangeGate } from '../../../gates/change-gates.ts';
import type { RankedWord } from '../../../gates/gate-list.ts';
import { minorsText } from '../../../report/version-matrix.ts';
import { effectCounts, effectText } from '../../../report/words.ts';

/** Changes of one definition, with the gates that its estimates fail. The totals of its versions replace the estimates of its rules. */
export interface GatedDiff extends Omit<DefinitionDiff, 'estimates'> {
  readonly totals?: readonly TotalEstimates[];
  /** Absent if there is no such gate. */
  readonly failed?: readonly FailedDiffGate[];
}

/** Gate that a diff fails: one on estimates, or a word on its effects. */
export type FailedDiffGate = Omit<FailedChangeGate, 'name'> & { readonly name: FailedChangeGate['name'] | RankedWord<'diff'> };

/** Result of `assay diff`. */
export interface DiffOutcome {
  readonly definitions: readonly GatedDiff[];
  /** Estimates of both states, in the order of the definitions. */
  readonly estimates: readonly EstimateChanges[];
  /** File location of each object in the older revision, at the object's index. */
  readonly sources: readonly string[];
}

/** Maximum number of objects, rules and gates that are listed one by one; all are counted. */
export const MAX_LISTED = 20;

/** Returns the note about definitions that were made of CompositeResourceDefinitions; undefined if there are none. */
export const compositeNote = (definitions: readonly GatedDiff[]): string | undefined =>
  compositeNotice(definitions.flatMap(({ report }) => report ?? []));

/** Returns the end of a heading that states a refusal. */
export const refusalText = ({ report }: GatedDiff): string => (report === undefined || report.accepted ? '' : ', and refused');

/** Returns a diff as readable text. */
export function diffText({ definitions, sources }: DiffOutcome): string {
  if (definitions.length === 0) return 'No definition changed.\n';
  return `${[...definitions.map((diff) => definitionLines(diff, sources).join('\n')), ...noteOf(definitions)].join('\n\n')}\n`;
}

function definitionLines(diff: GatedDiff, sources: readonly string[]): string[] {
  const { name, state, changes, report, prices, minors, objects, totals = [], failed = [] } = diff;
  const totalTexts = totals.flatMap(totalLines);
  return [
    shownInLine(`${name}: ${state}${refusalText(diff)}`),
    ...(report?.accepted === false && report.status ? [indented(report.status.message)] : []),
    ...[...changes]
      .sort(breakingFirst)
      .map((change) => shownInLine(`  ${change.breaking ? 'breaking ' : '         '}${changeText(change)}`)),
    ...(minors.refused.length > 0 ? [`  refused from now on by ${minors.refused.map(minorWords).join(', ')}`] : []),
    ...(minors.mended.length > 0 ? [`  accepted from now on by ${minors.mended.map(minorWords).join(', ')}`] : []),
    ...(prices.length > 0 ? ['  Rules:', ...prices.slice(0, MAX_LISTED).map((price) => shownInLine(`    ${priceText(price)}`))] : []),
    ...(prices.length > MAX_LISTED ? [`    and ${prices.length - MAX_LISTED} more`] : []),
    ...(totalTexts.length > 0 ? ['  All rules of a version:', ...totalTexts.map((text) => shownInLine(`    ${text}`))] : []),
    ...impactText(diff).map((text) => `  ${text}`),
    ...objects
      .slice(0, MAX_LISTED)
      .map((object) =>
        shownInLine(
          `    ${sources[object.index] ?? ''} ${JSON.stringify(object.name ?? '')} ${[effectText(object), object.message].filter(Boolean).join(': ')}`,
        ),
      ),
    ...(failed.length > 0 ? ['  Failed:', ...failed.slice(0, MAX_LISTED).map((one) => shownInLine(`    ${failedText(one)}`))] : []),
    ...(failed.length > MAX_LISTED ? [`    and ${failed.length - MAX_LISTED} more`] : []),
  ];
}

function noteOf(definitions: readonly GatedDiff[]): string[] {
  const note = compositeNote(definitions);
  return note === undefined ? [] : [shownInLine(`Note: ${note}`)];
}

const failedText = ({ version, path, text }: FailedDiffGate): string =>
  path === undefined || version === undefined ? text : `${version} ${path}: ${text}`;

/** Returns a text about each change of a version's total, with the Kubernetes minor versions that estimate it so. */
function totalLines({ version, from, costs }: TotalEstimates): string[] {
  // Leaves out a version that is gone, or that has a rule that does not compile. Other lines report these.
  const changed = MINORS.filter((minor) => costs[minor]?.after !== undefined && costs[minor].before !== costs[minor].after);
  const name = from === undefined ? version : `${version}, formerly ${from}`;
  const byChange = Map.groupBy(
    changed,
    (minor) => `${costText(costs[minor]?.before)} → ${costText(costs[minor]?.after)}${totalShare(costs[minor]?.after)}`,
  );
  return [...byChange].map(([change, minors]) => `${name}: ${change} on ${minorsText(minors, MINORS, minorWords)}`);
}

const totalShare = (cost: string | undefined): string =>
  cost === undefined ? '' : ` of ${grouped(SCHEMA_COST_LIMIT)} (${percent(Number(cost) / Number(SCHEMA_COST_LIMIT))})`;

/** Orders breaking changes first. */
export const breakingFirst = (a: SchemaChange, b: SchemaChange): number => Number(b.breaking) - Number(a.breaking);

const changeText = (change: SchemaChange): string =>
  `${[change.version, change.path].filter((part) => part !== undefined && part !== '').join(' ')}: ${beforeAndAfter(change)}`;

/** Returns a change with the values before and after it. */
export function beforeAndAfter({ change, before, after }: SchemaChange): string {
  if (before === undefined && after === undefined) return change;
  return `${change} (${before ?? 'none'} → ${after ?? 'none'})`;
}

function priceText(price: RulePriceChange): string {
  const { version, path, rule, state, from, after, broken } = price;
  const place = from !== undefined && from.path !== path ? ` from ${from.path}` : '';
  const change = state === 'same' ? '' : `${state}${state === 'moved' ? place : ''}, `;
  const cost = broken ? `${costText(price.before)} → does not compile` : pricesText(price.before, after);
  return `${version} ${path}: ${change}${cost}${dearerText(price)}  ${rule.replace(/\s+/g, ' ')}`;
}

/** Returns both costs of a rule, and the share of the limit that the newer one takes. */
function pricesText(before: string | undefined, after: string | undefined): string {
  const share =
    after === undefined ? '' : ` of ${grouped(EXPRESSION_COST_LIMIT)} (${factorText(Number(after) / Number(EXPRESSION_COST_LIMIT))})`;
  return `${costText(before)} → ${costText(after)}${share}`;
}

/** Returns a text about the minor versions that estimate a rule highest. Returns an empty text if the rule states this estimate already. */
function dearerText({ after, costs = {} }: RulePriceChange): string {
  const sizeOn = (minor: Minor): number => Number(costs[minor]?.after ?? 0);
  const most = Math.max(...MINORS.map(sizeOn));
  if (most <= Number(after ?? 0)) return '';
  const minors = MINORS.filter((minor) => sizeOn(minor) === most);
  const [first] = minors.map((minor) => costs[minor]);
  return `; on ${minorsText(minors, MINORS, minorWords)} ${pricesText(first?.before, first?.after)}`;
}

/** Returns a cost with all its digits, or `none`. */
export const costText = (cost: string | undefined): string => (cost === undefined ? 'none' : grouped(cost));

/** Returns a sentence on the effects on the objects of the older state, or none if there are no objects. */
export function impactText({ impact, removedObjects = 0 }: GatedDiff): readonly string[] {
  if (removedObjects > 0) return [`${times(removedObjects, 'object')} of the older state: a server removes them with the definition`];
  return impact === undefined ? [] : [`${times(impact.objects, 'object')} of the older state: ${effectCounts(impact).join(', ')}`];
}
