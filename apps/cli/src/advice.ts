import type { Advice } from '#evaluation';
import { schemaField } from '#source';
import type { Finding } from '#source';
import type { FileLocation } from './place-findings.ts';
import type { PlacedDocument } from './read-documents.ts';

/** The kinds of advice that are not wanted. */
export type UnwantedAdvice = 'all' | readonly string[];

/** A piece of advice with its place in the file. */
export interface PlacedAdvice extends Advice {
  readonly location?: FileLocation;
}

/** Returns the advice that is wanted, each piece at its place. */
export function placeAdvice(advice: readonly Advice[], document: PlacedDocument | undefined, unwanted: UnwantedAdvice): PlacedAdvice[] {
  if (unwanted === 'all') return [];
  const wanted = advice.filter(({ id }) => !unwanted.includes(id));
  if (document?.place === undefined) return wanted;
  const { file, origin } = document.place;
  const source = file.text.document(origin);
  return wanted.map((one) => {
    const field = `${schemaField(one.versions[0] ?? '', source)}.${one.path}.rule`;
    const before = (source.textOf(field) ?? '').split('\n').slice(0, one.line - 1);
    const line = (source.textOf(field) ?? '').split('\n')[one.line - 1] ?? '';
    const offset = before.reduce((sum, text) => sum + text.length + 1, 0) + [...line].slice(0, one.column - 1).join('').length;
    const range = source.rangeInField(field, offset) ?? source.rangeOf(field);
    return range === undefined ? one : { ...one, location: { file: file.name, line: range.line, column: range.column } };
  });
}

/** Returns a piece of advice as what is found in a document: a note that fails nothing. */
export function adviceFinding({ id, path, text, location }: PlacedAdvice): Finding {
  return {
    severity: 'note',
    field: path,
    message: text,
    reason: id,
    ...(location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } }),
  };
}
