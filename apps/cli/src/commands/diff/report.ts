import { EXPRESSION_COST_LIMIT, minorWords } from '#kube';
import type { SchemaChange } from '#kube';
import type { DefinitionDiff, RulePriceChange } from '#service';
import { compositeNotice } from '#documents';
import { grouped, percent, times } from '#numbers';
import { indented, markdownCell, markdownCode, markdownTable, shownInLine } from '#report';
import { effectCounts, effectText } from '../../report/words.ts';

/** Result of `assay diff`. `sources` contains the file location of each object in the older revision, at the object's index. */
export interface DiffOutcome {
  readonly definitions: readonly DefinitionDiff[];
  readonly sources: readonly string[];
}

/** Maximum number of objects and rules that are listed one by one; all are counted. */
const LISTED = 20;

/** Returns a diff as readable text. */
export function diffText({ definitions, sources }: DiffOutcome): string {
  if (definitions.length === 0) return 'No definition changed.\n';
  return `${[...definitions.map((diff) => definitionLines(diff, sources).join('\n')), ...notesOf(definitions)].join('\n\n')}\n`;
}

function definitionLines(diff: DefinitionDiff, sources: readonly string[]): string[] {
  const { name, state, changes, report, prices, minors, impact, objects } = diff;
  return [
    shownInLine(`${name}: ${state}${verdictOf(diff)}`),
    ...(report?.accepted === false && report.status ? [indented(report.status.message)] : []),
    ...[...changes]
      .sort(breakingFirst)
      .map((change) => shownInLine(`  ${change.breaking ? 'breaking ' : '         '}${changeText(change)}`)),
    ...(minors.refused.length > 0 ? [`  refused from now on by ${minors.refused.map(minorWords).join(', ')}`] : []),
    ...(minors.mended.length > 0 ? [`  accepted from now on by ${minors.mended.map(minorWords).join(', ')}`] : []),
    ...(prices.length > 0 ? ['  Rules:', ...prices.slice(0, LISTED).map((price) => shownInLine(`    ${priceText(price)}`))] : []),
    ...(impact === undefined ? [] : [`  ${impactText(diff)}`]),
    ...objects
      .slice(0, LISTED)
      .map((object) =>
        shownInLine(
          `    ${sources[object.index] ?? ''} ${JSON.stringify(object.name ?? '')} ${[effectText(object), object.message].filter(Boolean).join(': ')}`,
        ),
      ),
  ];
}

/** Returns the result of `assay diff` as Markdown, for example for the summary of a pull request. */
export function diffMarkdown({ definitions, sources }: DiffOutcome): string {
  if (definitions.length === 0) return 'No CustomResourceDefinition changed.\n';
  return `${[...definitions.map((diff) => definitionMarkdown(diff, sources)), ...notesOf(definitions)].join('\n\n')}\n`;
}

/** Returns the note about definitions that were made of CompositeResourceDefinitions, if there are any. */
function notesOf(definitions: readonly DefinitionDiff[]): string[] {
  const notice = compositeNotice(definitions.flatMap(({ report }) => report ?? []));
  return notice === undefined ? [] : [shownInLine(`Note: ${notice}`)];
}

function definitionMarkdown(diff: DefinitionDiff, sources: readonly string[]): string {
  const { name, state, changes, report, prices, minors } = diff;
  return [
    `### ${markdownCode(name)} ${state}${verdictOf(diff)}`,
    ...(report?.accepted === false ? ['', `> ${markdownCell(report.status?.message ?? '')}`] : []),
    ...(minors.refused.length > 0 ? ['', `**Refused from now on by ${minors.refused.map(minorWords).join(', ')}.**`] : []),
    ...(minors.mended.length > 0 ? ['', `Accepted from now on by ${minors.mended.map(minorWords).join(', ')}.`] : []),
    ...markdownTable(
      ['Change', 'Where', 'Breaking'],
      [...changes]
        .sort(breakingFirst)
        .map((change) => [beforeAndAfter(change), `${change.version ?? ''} ${change.path}`, change.breaking ? 'yes' : 'no']),
    ),
    ...markdownTable(
      ['Rule', 'Cost before', 'after', 'of the limit'],
      prices
        .slice(0, LISTED)
        .map(({ rule, before, after, factor }) => [rule, costText(before), costText(after), factor === undefined ? '' : percent(factor)]),
    ),
    ...(diff.impact === undefined ? [] : ['', impactText(diff)]),
    ...objectsTable(diff, sources),
  ].join('\n');
}

function objectsTable({ objects }: DefinitionDiff, sources: readonly string[]): string[] {
  const rows = objects
    .slice(0, LISTED)
    .map((object) => [object.name ?? '', sources[object.index] ?? '', effectText(object), object.message ?? '']);
  const more = objects.length - rows.length;
  return [...markdownTable(['Object', 'Where', 'Effect', 'Message'], rows), ...(more > 0 ? ['', `And ${more} more.`] : [])];
}

const breakingFirst = (a: SchemaChange, b: SchemaChange): number => Number(b.breaking) - Number(a.breaking);

function verdictOf({ report }: DefinitionDiff): string {
  if (report === undefined) return '';
  return report.accepted ? '' : ', and refused';
}

const changeText = (change: SchemaChange): string =>
  `${[change.version, change.path].filter((part) => part !== undefined && part !== '').join(' ')}: ${beforeAndAfter(change)}`;

function beforeAndAfter({ change, before, after }: SchemaChange): string {
  if (before === undefined && after === undefined) return change;
  return `${change} (${before ?? 'none'} → ${after ?? 'none'})`;
}

function priceText({ version, path, rule, before, after, factor, broken }: RulePriceChange): string {
  const share = factor === undefined ? '' : ` of ${grouped(EXPRESSION_COST_LIMIT)} (${percent(factor)})`;
  return `${version} ${path}: ${costText(before)} → ${broken ? 'does not compile' : costText(after)}${share}  ${rule.replace(/\s+/g, ' ')}`;
}

const costText = (cost: string | undefined): string => (cost === undefined ? 'none' : grouped(cost));

function impactText({ impact }: DefinitionDiff): string {
  if (impact === undefined) return '';
  return `${times(impact.objects, 'object')} of the older state: ${effectCounts(impact).join(', ')}`;
}
