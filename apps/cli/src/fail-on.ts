/**
 * Returns true if `isFound` is true for a chosen finding, or for a worse finding. `worstFirst` lists all kinds of findings, the worst
 * first.
 */
export function foundByThreshold<Word extends string>(
  worstFirst: readonly Word[],
  chosen: readonly Word[],
  isFound: (word: Word) => boolean,
): boolean {
  const mildest = Math.max(...chosen.map((word) => worstFirst.indexOf(word)));
  return worstFirst.slice(0, mildest + 1).some(isFound);
}
