import type { CodeAction } from './answers.ts';
import type { LanguageQuery } from './language-query.ts';
import { complete } from './complete.ts';
import type { Position } from './position.ts';
import type { TextDocument } from './text-document.ts';

/** Kinds of completions whose labels are compared with a misspelt word: fields, keys and values. */
const NAMES: ReadonlySet<string> = new Set(['field', 'key', 'value']);
/** Maximum length of a word that is compared, in UTF-16 code units. */
const MOST_LETTERS = 64;

/**
 * Returns the editor action that replaces a misspelt field, key or value at a position by the most similar known name. Returns an empty
 * list if no known name is similar.
 */
export function nearestWordAction(document: TextDocument, { line, character }: Position, query: LanguageQuery): readonly CodeAction[] {
  const text = document.positions.lineText(line);
  // An error about a field of an expression begins at its dot.
  const inside = text[character] === '.' ? character + 1 : character;
  const from = inside - (/[\w-]*$/.exec(text.slice(0, inside))?.[0].length ?? 0);
  const word = /^[\w-]+/.exec(text.slice(from))?.[0] ?? '';
  if (word.length < 3 || word.length > MOST_LETTERS) return [];
  const start = { line, character: from };
  const known = complete(document, start, query).filter(({ kind }) => NAMES.has(kind));
  const nearest = nearestOf(
    word,
    known.map(({ label }) => label),
  );
  if (nearest === undefined) return [];
  const range = { start, end: { line, character: from + word.length } };
  return [{ title: `Write ${nearest}`, edits: [{ range, newText: nearest }] }];
}

/**
 * Returns the known word with the fewest edits from `word`. Returns undefined if `word` is itself known, or if every known word needs more
 * edits than a quarter of its letters (at least one edit).
 */
function nearestOf(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return undefined;
  const most = Math.max(1, Math.floor(word.length / 4));
  const near = known.map((label) => ({ label, edits: editsBetween(word, label) })).filter(({ edits }) => edits <= most);
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.label;
}

/** Returns the number of edits between two words. An edit adds, removes or replaces a letter, or swaps two adjacent letters. */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, i) => i)];
  const edits = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j++) {
      const replaced = edits(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(Math.min(replaced, edits(i - 1, j) + 1, edits(i, j - 1) + 1, isSwapped ? edits(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return edits(one.length, other.length);
}
