import type { Status } from '#kube';
import { findingsOf } from '#source';
import type { Finding } from '#source';
import type { PlacedDocument } from './read-documents.ts';

/** Where something about a document stands, for people and machines. */
export interface PlacedReport {
  /** File and number of the document in it, from 1. */
  readonly source: string;
  /** Where the document begins; undefined where its text is not at hand. */
  readonly location?: FileLocation;
  /** What is said of it, one by one; left out where there is nothing. */
  readonly findings?: readonly Finding[];
}

/** A place of a file; line and column from 1, the column in code points. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A report on a document, with the place of the document and of each thing that is said of it. */
export function placeReport<T extends { readonly status?: Status | undefined; readonly warnings: readonly string[] }>(
  report: T,
  document: PlacedDocument | undefined,
): T & PlacedReport {
  if (document?.place === undefined) return { ...report, source: document?.source ?? '' };
  const { file, origin } = document.place;
  const source = file.text.document(origin);
  const findings = findingsOf(report, source);
  const { line, column } = source.beginning;
  return {
    ...report,
    source: document.source,
    location: { file: file.name, line, column },
    ...(findings.length > 0 && { findings }),
  };
}
