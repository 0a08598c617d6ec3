import type { Status } from '#kube';
import { findingsOf } from '#source';
import type { Finding } from '#source';
import type { PlacedDocument } from './read-documents.ts';

/** The place of a finding about a document, for people and machines. */
export interface PlacedReport {
  /** File and number of the document in it, from 1. */
  readonly source: string;
  /** The beginning of the document; undefined if its text is not known. */
  readonly location?: FileLocation;
  /** Its findings, one by one; absent if there are none. */
  readonly findings?: readonly Finding[];
}

/** A place of a file; line and column from 1, the column in code points. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Returns a report on a document, with the place of the document and of each thing that is said of it. */
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
