/**
 * Returns true if `isFound` is true for a kind of finding that is in `chosen`, or is worse than a kind in `chosen`. `worstFirst` lists all
 * kinds, the worst first.
 */
export function foundByThreshold<Word extends string>(
  worstFirst: readonly Word[],
  chosen: readonly Word[],
  isFound: (word: Word) => boolean,
): boolean {
  const mildest = Math.max(...chosen.map((word) => worstFirst.indexOf(word)));
  return worstFirst.slice(0, mildest + 1).some(isFound);
}
