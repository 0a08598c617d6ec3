import type { EvaluationOptions, FieldValidation } from '#documents';
import { definitionDiffs } from '#service';
import type { DefinitionDiff, RulePriceChange, TotalEstimates } from '#service';
import { shownText, indented, markdownCell, markdownCode, markdownTable, shownInLine } from '#report';
import { failedChangeGates } from '../../gates/change-gates.ts';
import type { FailedChangeGate } from '../../gates/change-gates.ts';
import type { GateName, RankedWord } from '../../gates/gate-list.ts';
import { failsByRank } from '../../gates/read-gates.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { print } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { EXIT } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';
import { EXPRESSION_COST_LIMIT, minorWords, MINORS, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor, SchemaChange } from '#kube';
import { compositeNotice } from '#documents';
import { factorText, grouped, percent, times } from '#numbers';
import { effectCounts, effectText } from '../../report/words.ts';
import { minorsText } from '../../report/version-matrix.ts';

/** Parsed arguments of `assay diff`, which compares definitions with a revision of a git repository. */
export interface DiffArguments extends CommandSettings {
  readonly base: string;
  /** Newer revision; undefined to compare with the present files. */
  readonly head: string | undefined;
  readonly paths: readonly string[];
  readonly output: OutputForm | 'markdown';
  readonly options: EvaluationOptions;
  readonly failOn: readonly Gate<GateName<'diff'>>[];
  /** Minor versions whose estimates the gates compare. */
  readonly minors: readonly Minor[];
}

/**
 * Runs `assay diff`: compares the definitions below the given paths with an older revision. Also finds the effects of the change on the
 * objects of that revision. Resolves with the exit status.
 */
export async function runDiff(command: DiffArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const { base, head, paths, options } = command;
  const before = await documentsOf(readRevision(base, paths, command.reading.access), engine);
  const after = await documentsOf(
    head === undefined ? await readInputs(paths, reportProblem, command.reading) : readRevision(head, paths, command.reading.access),
    engine,
  );
  const slices = (documents: readonly PlacedDocument[], fieldValidation: FieldValidation) =>
    documents.map(({ source, slice }) => ({ source, slice: { ...slice, fieldValidation } }));
  const documents = {
    from: slices(before.definitions, 'Ignore'),
    to: slices(after.definitions, 'Strict'),
    objects: before.objects.map(({ slice }) => slice),
  };
  const diffs = await definitionDiffs(engine, documents, options);
  const outcome: DiffOutcome = {
    definitions: diffs.map(({ estimates, ...diff }): GatedDiff => {
      const failed = failedChangeGates(estimates, command.failOn, command.minors);
      return { ...diff, totals: estimates.totals, ...(failed.length > 0 && { failed }) };
    }),
    sources: before.objects.map(({ source }) => source),
  };
  if (command.output === 'markdown') process.stdout.write(shownText(diffMarkdown(outcome)));
  else print(command.output, outcome.definitions, () => diffText(outcome));
  const names = command.failOn.map(({ name }) => name);
  const isFailed = outcome.definitions.some((diff) => diff.failed !== undefined || failsByRank('diff', names, foundIn(diff)));
  return isFailed ? EXIT.rejected : EXIT.ok;
}

/** Changes of one definition, with the gates that its estimates fail. The totals of its versions replace the estimates of its rules. */
interface GatedDiff extends Omit<DefinitionDiff, 'estimates'> {
  readonly totals?: readonly TotalEstimates[];
  /** Absent if there is no such gate. */
  readonly failed?: readonly FailedChangeGate[];
}

/** Returns which ranked words a diff fails. */
function foundIn({ state, changes, report, impact, minors }: GatedDiff): Readonly<Record<RankedWord<'diff'>, boolean>> {
  return {
    refused: report?.accepted === false || minors.refused.length > 0,
    objects: impact !== undefined && impact.effects.brokenOnUpdate + impact.effects.breaksOnNextChange > 0,
    breaking: state === 'removed' || changes.some(({ breaking }) => breaking),
  };
}

/** Result of `assay diff`. `sources` contains the file location of each object in the older revision, at the object's index. */
interface DiffOutcome {
  readonly definitions: readonly GatedDiff[];
  readonly sources: readonly string[];
}

/** Maximum number of objects and rules that are listed one by one; all are counted. */
const LISTED = 20;

/** Returns a diff as readable text. */
export function diffText({ definitions, sources }: DiffOutcome): string {
  if (definitions.length === 0) return 'No definition changed.\n';
  return `${[...definitions.map((diff) => definitionLines(diff, sources).join('\n')), ...notesOf(definitions)].join('\n\n')}\n`;
}

function definitionLines(diff: GatedDiff, sources: readonly string[]): string[] {
  const { name, state, changes, report, prices, minors, impact, objects, totals = [], failed = [] } = diff;
  const totalTexts = totals.flatMap(totalLines);
  return [
    shownInLine(`${name}: ${state}${verdictOf(diff)}`),
    ...(report?.accepted === false && report.status ? [indented(report.status.message)] : []),
    ...[...changes]
      .sort(breakingFirst)
      .map((change) => shownInLine(`  ${change.breaking ? 'breaking ' : '         '}${changeText(change)}`)),
    ...(minors.refused.length > 0 ? [`  refused from now on by ${minors.refused.map(minorWords).join(', ')}`] : []),
    ...(minors.mended.length > 0 ? [`  accepted from now on by ${minors.mended.map(minorWords).join(', ')}`] : []),
    ...(prices.length > 0 ? ['  Rules:', ...prices.slice(0, LISTED).map((price) => shownInLine(`    ${priceText(price)}`))] : []),
    ...(prices.length > LISTED ? [`    and ${prices.length - LISTED} more`] : []),
    ...(totalTexts.length > 0 ? ['  All rules of a version:', ...totalTexts.map((text) => shownInLine(`    ${text}`))] : []),
    ...(impact === undefined ? [] : [`  ${impactText(diff)}`]),
    ...objects
      .slice(0, LISTED)
      .map((object) =>
        shownInLine(
          `    ${sources[object.index] ?? ''} ${JSON.stringify(object.name ?? '')} ${[effectText(object), object.message].filter(Boolean).join(': ')}`,
        ),
      ),
    ...(failed.length > 0 ? ['  Failed:', ...failed.slice(0, LISTED).map((one) => shownInLine(`    ${failedText(one)}`))] : []),
    ...(failed.length > LISTED ? [`    and ${failed.length - LISTED} more`] : []),
  ];
}

const failedText = ({ version, path, text }: FailedChangeGate): string =>
  path === undefined || version === undefined ? text : `${version} ${path}: ${text}`;

/** Returns a text about each change of a version's total, with the Kubernetes minor versions that estimate it so. */
function totalLines({ version, from, costs }: TotalEstimates): string[] {
  const changed = MINORS.filter((minor) => costs[minor]?.before !== costs[minor]?.after);
  const name = from === undefined ? version : `${version}, formerly ${from}`;
  const byChange = Map.groupBy(
    changed,
    (minor) => `${costText(costs[minor]?.before)} → ${costText(costs[minor]?.after)}${totalShare(costs[minor]?.after)}`,
  );
  return [...byChange].map(([change, minors]) => `${name}: ${change} on ${minorsText(minors, MINORS, minorWords)}`);
}

const totalShare = (cost: string | undefined): string =>
  cost === undefined ? '' : ` of ${grouped(SCHEMA_COST_LIMIT)} (${percent(Number(cost) / Number(SCHEMA_COST_LIMIT))})`;

/** Returns the result of `assay diff` as Markdown, for example for the summary of a pull request. */
export function diffMarkdown({ definitions, sources }: DiffOutcome): string {
  if (definitions.length === 0) return 'No CustomResourceDefinition changed.\n';
  return `${[...definitions.map((diff) => definitionMarkdown(diff, sources)), ...notesOf(definitions)].join('\n\n')}\n`;
}

/** Returns the note about definitions that were made of CompositeResourceDefinitions, if there are any. */
function notesOf(definitions: readonly GatedDiff[]): string[] {
  const notice = compositeNotice(definitions.flatMap(({ report }) => report ?? []));
  return notice === undefined ? [] : [shownInLine(`Note: ${notice}`)];
}

function definitionMarkdown(diff: GatedDiff, sources: readonly string[]): string {
  const { name, state, changes, report, prices, minors, failed = [] } = diff;
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
        .map(({ rule, state, before, after, factor }) => [
          rule,
          state === 'new' ? 'new' : costText(before),
          state === 'gone' ? 'gone' : costText(after),
          factor === undefined ? '' : percent(factor),
        ]),
    ),
    ...markdownTable(
      ['Failed gate', 'Where', 'Why'],
      failed.slice(0, LISTED).map(({ gate, version, path, text }) => [gate, `${version ?? ''} ${path ?? ''}`, text.slice(gate.length + 2)]),
    ),
    ...(diff.impact === undefined ? [] : ['', impactText(diff)]),
    ...objectsTable(diff, sources),
  ].join('\n');
}

function objectsTable({ objects }: GatedDiff, sources: readonly string[]): string[] {
  const rows = objects
    .slice(0, LISTED)
    .map((object) => [object.name ?? '', sources[object.index] ?? '', effectText(object), object.message ?? '']);
  const more = objects.length - rows.length;
  return [...markdownTable(['Object', 'Where', 'Effect', 'Message'], rows), ...(more > 0 ? ['', `And ${more} more.`] : [])];
}

const breakingFirst = (a: SchemaChange, b: SchemaChange): number => Number(b.breaking) - Number(a.breaking);

function verdictOf({ report }: GatedDiff): string {
  if (report === undefined) return '';
  return report.accepted ? '' : ', and refused';
}

const changeText = (change: SchemaChange): string =>
  `${[change.version, change.path].filter((part) => part !== undefined && part !== '').join(' ')}: ${beforeAndAfter(change)}`;

function beforeAndAfter({ change, before, after }: SchemaChange): string {
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

const costText = (cost: string | undefined): string => (cost === undefined ? 'none' : grouped(cost));

function impactText({ impact }: GatedDiff): string {
  if (impact === undefined) return '';
  return `${times(impact.objects, 'object')} of the older state: ${effectCounts(impact).join(', ')}`;
}
