import type { Advice } from '#documents';
import { rangeOfAdvice } from '#editing';
import type { Finding } from '#editing';
import type { FileLocation } from './place-findings.ts';
import type { PlacedDocument } from './read-documents.ts';

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
export function adviceFinding({ id, path, text, location }: PlacedAdvice): Finding {
  return {
    severity: 'note',
    field: path,
    message: text,
    reason: id,
    ...(location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } }),
  };
}
