import type { Minor, Status } from '#kube';
import type { VersionMatrix } from '#service';
import type { Finding } from '#editing';
import { placeReport } from './place-findings.ts';
import type { PlacedReport } from './place-findings.ts';
import type { PlacedBatch, PlacedDocument } from './read-documents.ts';

/** Finding about a document, with the minor versions that report this finding. */
interface MinorFinding extends Finding {
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
export interface ShownMatrix {
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
export function placeOfText(
  { findings = [], location }: Partial<Pick<PlacedRow<Row>, 'findings' | 'location'>>,
  minor: Minor | undefined,
): string | undefined {
  if (location === undefined || minor === undefined) return undefined;
  const at = findings.find((finding) => finding.minors.includes(minor) && finding.location !== undefined)?.location ?? location;
  return `${location.file}:${at.line}:${at.column}`;
}
