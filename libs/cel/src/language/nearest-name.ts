/** Minimum and maximum length of a name that is compared, in UTF-16 code units. */
const LETTERS = { least: 3, most: 64 } as const;

/**
 * Returns the known name that a misspelt name probably means: the one with the fewest edits. Returns undefined if `name` is itself known or
 * very short. Also returns undefined if each known name needs more edits than a quarter of the letters, and more than one.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length < LETTERS.least || name.length > LETTERS.most) return undefined;
  const most = Math.max(1, Math.floor(name.length / 4));
  let nearest: { readonly label: string; readonly edits: number } | undefined;
  for (const label of known) {
    if (label === name) return undefined;
    if (Math.abs(label.length - name.length) > most) continue;
    const edits = editsBetween(name, label);
    if (edits <= most && edits < (nearest?.edits ?? Infinity)) nearest = { label, edits };
  }
  return nearest?.label;
}

/**
 * Returns the number of edits between two words, which are texts or lists of letters. An edit adds, removes or replaces a letter, or swaps
 * two adjacent letters. Returns Infinity if, for a beginning of `one`, every beginning of `other` needs more than `most` edits.
 */
export function editsBetween(one: ArrayLike<string>, other: ArrayLike<string>, most = Infinity): number {
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
    if (Math.min(...row) > most) return Infinity;
  }
  return edits(one.length, other.length);
}
