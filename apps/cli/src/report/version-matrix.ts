import { compositeNotice } from '#documents';
import type { ByMinor, VersionMatrix } from '#service';
import { previewNotice } from '#kube';
import type { Minor, Status } from '#kube';
import { indented, shownInLine } from '#report';
import type { EditorFinding } from '#editing';
import { additionsText, causesText, sameNameNotes } from './words.ts';
import { placeReport } from '../evaluation/place-findings.ts';
import type { PlacedReport } from '../evaluation/place-findings.ts';
import type { PlacedBatch, PlacedDocument } from '../documents/read-documents.ts';

/**
 * Returns a text with the verdicts of several Kubernetes minor versions side by side. Each document has a mark for each minor version, and
 * the messages whose text differs between minor versions.
 */
export function matrixText({ minors, definitions, policies = [], objects }: ShownMatrix): string {
  const lines = [`${' '.repeat(NAME_WIDTH)} ${minors.join('  ')}`];
  for (const definition of definitions) {
    const { name, accepted, messages, changingRules, changes } = definition;
    lines.push(
      row(
        name || '(definition)',
        minors.map((minor) => (accepted[minor] ? 'ok' : 'NO')),
        changes,
      ),
      ...texts(messages, minors, definition),
      ...texts(warningTexts(definition.warnings), minors, definition),
    );
    lines.push(...causesText(definition.causes ?? []));
    if (definition.additions !== undefined) lines.push(additionsText(definition.additions, minorsText(minors, minors)));
    lines.push(...changingRuleLines(changingRules, minors));
  }
  for (const policy of policies) {
    const { kind, name, accepted, messages, warnings, changes } = policy;
    const refusals = Object.entries(messages).map(([minor, text]) => [minor, `policy refused: ${text}`]);
    lines.push(
      row(
        `${kind} ${name}`,
        minors.map((minor) => (accepted[minor] === undefined ? '..' : accepted[minor] ? 'ok' : 'NO')),
        changes,
      ),
      ...texts(Object.fromEntries(refusals) as ByMinor<string>, minors, policy),
      ...texts(warningTexts(warnings), minors, policy),
    );
  }
  for (const object of objects) {
    const { index, name, outcome, messages, warnings, celCost, changes } = object;
    lines.push(
      row(
        name ?? `object ${index}`,
        minors.map((minor) => MARKS[outcome[minor] ?? 'cancelled'] ?? '??'),
        changes,
      ),
      ...texts(messages, minors, object),
    );
    lines.push(...texts(warningTexts(warnings), minors, object));
    lines.push(...causesText(object.causes ?? []));
    if (changes) lines.push(`    CEL cost ${runs(celCost, minors)}`);
  }
  const rows = [...definitions, ...policies, ...objects];
  const changing = rows.filter(({ changes }) => changes).length;
  const refusing = minors.filter((minor) => policies.some(({ accepted }) => accepted[minor] === false));
  if (refusing.length > 0) lines.push(`Policy refused on ${minorsText(refusing, minors)}: ${REFUSED_POLICY}`);
  const notices = [previewNotice(minors), compositeNotice(definitions)].filter((notice) => notice !== undefined);
  const notes = sameNameNotes(definitions.map(({ name, source = '' }) => ({ name, source })));
  lines.push(...[...notices, ...notes].map((note) => shownInLine(`Note: ${note}`)));
  lines.push(`Summary: ${changing} of ${rows.length} documents change between ${minors[0] ?? ''} and ${minors.at(-1) ?? ''}`);
  return `${lines.join('\n')}\n`;
}

/** Note about a policy that a server refuses to store. */
const REFUSED_POLICY =
  'if the server does not know its kind or version, objects are judged there without it, and else as if it were stored';
const NAME_WIDTH = 48;
const MARKS: Readonly<Record<string, string>> = { accepted: 'ok', rejected: 'NO', notEvaluated: '--', cancelled: '..' };

function row(name: string, marks: readonly string[], changes: boolean): string {
  return `${shownInLine(name).slice(0, NAME_WIDTH).padEnd(NAME_WIDTH)} ${marks.map((mark) => mark.padEnd(4)).join('  ')}${changes ? '  changes' : ''}`.trimEnd();
}

/** Returns two lines for each rule whose cost differs between minor versions. Rules with the same text and costs are listed once. */
function changingRuleLines(rules: ShownMatrix['definitions'][number]['changingRules'], minors: ShownMatrix['minors']): string[] {
  const same = Map.groupBy(rules, ({ rule, cost }) => `${runs(cost, minors)} ${rule}`);
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { version, path, rule, cost } = first;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return [`    ${shownInLine(`${version} ${path}${more}: ${rule.split('\n', 1)[0] ?? ''}`)}`, `      static cost ${runs(cost, minors)}`];
  });
}

/** Returns the warnings of each minor version as one text. */
function warningTexts(warnings: ByMinor<readonly string[]>): ByMinor<string> {
  const texts = Object.entries(warnings).map(([minor, warned]) => [minor, warned.map((text) => `warning: ${text}`).join('\n')]);
  return Object.fromEntries(texts) as ByMinor<string>;
}

/** Returns lines with each different message once, the minor versions that report it, and the location of the first finding. */
function texts(messages: ByMinor<string>, minors: readonly (keyof ByMinor<string>)[], row: Parameters<typeof placeOfText>[0]): string[] {
  const groups = Map.groupBy(
    minors.filter((minor) => messages[minor] !== undefined),
    (minor) => messages[minor],
  );
  return [...groups].map(([text, saying]) => {
    const place = placeOfText(row, saying[0]);
    return indented(`${place === undefined ? '' : `${shownInLine(place)}: `}${minorsText(saying, minors)}: ${text ?? ''}`);
  });
}

/**
 * Returns values by minor version in short notation, such as `1.30–1.36 5; 1.37 8`. Equal values of neighbouring minor versions are
 * combined.
 */
function runs(values: ByMinor<string | number>, minors: readonly (keyof ByMinor<string>)[]): string {
  const parts: { from: string; to: string; value: string }[] = [];
  for (const minor of minors) {
    const value = String(values[minor] ?? 'none');
    const last = parts.at(-1);
    if (last?.value === value) last.to = minor;
    else parts.push({ from: minor, to: minor, value });
  }
  return parts.map(({ from, to, value }) => `${from === to ? from : `${from}–${to}`} ${value}`).join('; ');
}

/** Finding about a document, with the minor versions that report this finding. */
interface MinorFinding extends EditorFinding {
  readonly minors: readonly Minor[];
}

type PolicyRow = NonNullable<VersionMatrix['policies']>[number];
type Row = PolicyRow | VersionMatrix['definitions'][number] | VersionMatrix['objects'][number];

/**
 * Row of a table that compares several Kubernetes minor versions. It contains the verdicts on one document, the location of the document,
 * and findings with their locations.
 */
export type PlacedRow<T extends Row> = Omit<T, 'statuses'> &
  Omit<PlacedReport, 'findings'> & { readonly findings: readonly MinorFinding[] };

/**
 * Printed table of the verdicts of several Kubernetes minor versions, with one row for each document. A row contains file locations if its
 * document is in a file.
 */
interface ShownMatrix {
  readonly minors: readonly Minor[];
  readonly definitions: readonly ShownRow<VersionMatrix['definitions'][number]>[];
  readonly policies?: readonly ShownRow<PolicyRow>[];
  readonly objects: readonly ShownRow<VersionMatrix['objects'][number]>[];
}

type ShownRow<T extends Row> = T & Partial<Pick<PlacedRow<T>, 'source' | 'location' | 'findings'>>;

/**
 * Table of the verdicts of several Kubernetes minor versions, with one row for each document. Every row names the source of its document
 * and lists the findings about it. Locations are added if they are known.
 */
export interface PlacedMatrix extends Pick<VersionMatrix, 'minors' | 'previews'> {
  readonly definitions: readonly PlacedRow<VersionMatrix['definitions'][number]>[];
  readonly policies?: readonly PlacedRow<PolicyRow>[];
  readonly objects: readonly PlacedRow<VersionMatrix['objects'][number]>[];
}

/**
 * Returns the verdicts of several Kubernetes minor versions, with the file locations of the documents and of the findings. Each row (the
 * verdicts on one document) must contain `statuses`, from which the error findings are derived.
 */
export function placeMatrix({ minors, previews, definitions, policies, objects }: VersionMatrix, documents: PlacedBatch): PlacedMatrix {
  return {
    minors,
    ...(previews && { previews }),
    definitions: definitions.map((row, i) => placeRow(row, documents.definitions[i], minors)),
    ...(policies && { policies: policies.map((row, i) => placeRow(row, documents.policyDocuments?.[i], minors)) }),
    objects: objects.map((row) => placeRow(row, documents.objects[row.index], minors)),
  };
}

/** Returns true if at least one minor version refuses the document of a row. */
export function isRefused(
  row: Pick<PolicyRow | VersionMatrix['definitions'][number], 'accepted'> | Pick<VersionMatrix['objects'][number], 'outcome'>,
): boolean {
  return 'outcome' in row ? Object.values(row.outcome).includes('rejected') : Object.values(row.accepted).includes(false);
}

function placeRow<T extends Row>(
  { statuses = {}, ...row }: T,
  document: PlacedDocument | undefined,
  minors: readonly Minor[],
): PlacedRow<T> {
  const merged = new Map<string, MinorFinding & { minors: Minor[] }>();
  for (const minor of minors) {
    const report = { status: statuses[minor], warnings: row.warnings[minor] ?? [] };
    for (const finding of placeReport(report, document).findings ?? []) {
      const key = JSON.stringify(finding);
      const known = merged.get(key) ?? { ...finding, minors: [] };
      merged.set(key, known);
      known.minors.push(minor);
    }
  }
  const { source, location } = placeReport({ status: undefined as Status | undefined, warnings: [] }, document);
  return { ...row, source, ...(location && { location }), findings: [...merged.values()] };
}

/**
 * Returns minor versions in short notation, with neighbours combined into a range: `1.30–1.32, 1.37`. `shown` gives the text of the last
 * minor version of a range.
 */
export function minorsText(some: readonly Minor[], all: readonly Minor[], shown: (minor: Minor) => string = (minor) => minor): string {
  const runs: { first: Minor; last: Minor }[] = [];
  for (const [i, minor] of all.entries()) {
    if (!some.includes(minor)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.last === all[i - 1]) run.last = minor;
    else runs.push({ first: minor, last: minor });
  }
  return runs.map(({ first, last }) => (first === last ? shown(first) : `${first}–${shown(last)}`)).join(', ');
}

/**
 * Returns the location of the first finding of the Kubernetes minor version `minor`, as `file:line:column`. If none of its findings has a
 * location, returns the location of the document. Returns undefined if the document has no location, or if `minor` is undefined.
 */
function placeOfText(
  { findings = [], location }: Partial<Pick<PlacedRow<Row>, 'findings' | 'location'>>,
  minor: Minor | undefined,
): string | undefined {
  if (location === undefined || minor === undefined) return undefined;
  const at = findings.find((finding) => finding.minors.includes(minor) && finding.location !== undefined)?.location ?? location;
  return `${location.file}:${at.line}:${at.column}`;
}
