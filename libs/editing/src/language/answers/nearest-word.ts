import { nearestName } from '#go';
import type { CodeAction } from './answers.ts';
import type { LanguageQuery } from './language-query.ts';
import { complete } from './complete.ts';
import type { Position } from '../open-texts/position.ts';
import type { TextDocument } from '../open-texts/text-document.ts';

/** Kinds of completions whose labels are compared with a misspelt word: fields, keys and values. */
const NAMES: ReadonlySet<string> = new Set(['field', 'key', 'value']);

/**
 * Returns the editor action that replaces a misspelt field, key or value at a position by the most similar known name. Returns an empty
 * list if no known name is similar.
 */
export function nearestWordAction(document: TextDocument, { line, character }: Position, query: LanguageQuery): readonly CodeAction[] {
  const text = document.positions.lineText(line);
  // An error about a field of an expression begins at the dot.
  const inside = text[character] === '.' ? character + 1 : character;
  const from = inside - (/[\w-]*$/.exec(text.slice(0, inside))?.[0].length ?? 0);
  const word = /^[\w-]+/.exec(text.slice(from))?.[0] ?? '';
  if (word === '') return [];
  const start = { line, character: from };
  const known = complete(document, start, query).filter(({ kind }) => NAMES.has(kind));
  const nearest = nearestName(
    word,
    known.map(({ label }) => label),
  );
  if (nearest === undefined) return [];
  const range = { start, end: { line, character: from + word.length } };
  return [{ title: `Replace ${word} with ${nearest}`, edits: [{ range, newText: nearest }] }];
}
