import type { PlaceRange } from './line-index.ts';
import type { PlacedSource } from './source-file.ts';
import { schemaField } from './written-field.ts';

/** Part of a definition that a piece of advice is about. */
export interface AdvisedPart {
  /** Versions of the definition that have the part. */
  readonly versions: readonly string[];
  /** Path of the rule or keyword from the root of the version's schema. */
  readonly path: string;
  /** Line and column in the text of the rule or keyword, from 1, in code points. */
  readonly line: number;
  readonly column: number;
}

/** Returns the range of the advised part in the text of the definition; undefined if the text is not a document. */
export function rangeOfAdvice({ versions, path, line, column }: AdvisedPart, source: PlacedSource): PlaceRange | undefined {
  const isRule = /x-kubernetes-validations\[\d+\]$/.test(path);
  const field = `${schemaField(versions[0] ?? '', source)}.${path}${isRule ? '.rule' : ''}`;
  // Advice that is not about a rule refers to the whole keyword.
  if (!isRule) return source.rangeOf(field);
  const lines = (source.textOf(field) ?? '').split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const offset = before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return source.rangeInField(field, offset) ?? source.rangeOf(field);
}
