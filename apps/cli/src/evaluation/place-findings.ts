import { findingsOf, rangeOfAdvice } from '#editing';
import type { EditorFinding, ReportedDocument, UndefinedFields } from '#editing';
import type { Advice } from '#documents';
import type { PlacedDocument } from '../documents/read-documents.ts';

/** Location of the document that a report is about, and the locations of the report's findings. */
export interface PlacedReport {
  /** Name of the file and number of the document in it, from 1. */
  readonly source: string;
  /** Location of the beginning of the document; undefined if its text is not known. */
  readonly location?: FileLocation;
  /** Findings of the report, one by one; absent if there are none. */
  readonly findings?: readonly EditorFinding[];
}

/** Location in a file. Line and column begin at 1; the column counts code points. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Adds the location of a document, and the location of each finding, to the report on this document. If the location of the document is
 * unknown, only its source is added.
 *
 * @param undefinedFields fields that the policies of the batch misspell, for a report on an object
 */
export function placeReport<T extends ReportedDocument>(
  report: T,
  document: PlacedDocument | undefined,
  undefinedFields?: UndefinedFields,
): T & PlacedReport {
  if (document?.place === undefined) return { ...report, source: document?.source ?? '' };
  const { file, origin } = document.place;
  const source = file.text.document(origin);
  const findings = findingsOf(report, source, undefinedFields);
  const { line, column } = source.beginning;
  return {
    ...report,
    source: document.source,
    location: { file: file.name, line, column },
    ...(findings.length > 0 && { findings }),
  };
}

/** Kinds of advice that are suppressed: all kinds, or the kinds with the given ids. */
export type UnwantedAdvice = 'all' | readonly string[];

/** Piece of advice on a rule or keyword, with the location in the file to which the advice applies. */
export interface PlacedAdvice extends Advice {
  readonly location?: FileLocation;
}

/**
 * Returns the pieces of advice that `unwanted` does not suppress. Adds to each piece its location in the file of the definition, if
 * `document` has a known place in a file.
 */
export function placeAdvice(advice: readonly Advice[], document: PlacedDocument | undefined, unwanted: UnwantedAdvice): PlacedAdvice[] {
  if (unwanted === 'all') return [];
  const wanted = advice.filter(({ id }) => !unwanted.includes(id));
  if (document?.place === undefined) return wanted;
  const { file, origin } = document.place;
  const source = file.text.document(origin);
  return wanted.map((one) => {
    const range = rangeOfAdvice(one, source);
    return range === undefined ? one : { ...one, location: { file: file.name, line: range.line, column: range.column } };
  });
}

/** Returns a piece of advice as a finding in a document. Its severity is `note`, so it does not make the command fail. */
export function adviceFinding({ id, path, text, location }: PlacedAdvice): EditorFinding {
  return {
    severity: 'note',
    field: path,
    message: text,
    reason: id,
    ...(location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } }),
  };
}
