import type { CodeAction } from '#editing/language';

type Edits = CodeAction['edits'];

/** Returns the text with the edits applied. The edits must not overlap, and their positions refer to the original text. */
export function editedText(text: string, edits: Edits): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetOf = ({ line, character }: Edits[number]['range']['start']): number => {
    const start = starts[line];
    if (start === undefined) return text.length;
    const end = starts[line + 1] === undefined ? text.length : (starts[line + 1] as number) - 1;
    return Math.min(start + character, end);
  };
  return edits
    .map(({ range, newText }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), newText }))
    .toSorted((a, b) => b.from - a.from)
    .reduce((now, { from, to, newText }) => now.slice(0, from) + newText + now.slice(to), text);
}
