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
  const width = other.length + 1;
  let [before, above, row] = [new Uint32Array(width), Uint32Array.from({ length: width }, (_, j) => j), new Uint32Array(width)];
  for (let i = 1; i <= one.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j < width; j++) {
      const replaced = above[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, above[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) edits = Math.min(edits, before[j - 2]! + 1);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return Infinity;
    [before, above, row] = [above, row, before];
  }
  return above[other.length]!;
}
