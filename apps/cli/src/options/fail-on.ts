/**
 * Returns true if a check must fail because of its findings. A kind of finding counts if it is in `chosen`, or if it is worse than any kind
 * in `chosen`. `isFound` says whether a kind was found, and `worstFirst` lists all kinds, the worst first.
 */
export function foundByThreshold<Word extends string>(
  worstFirst: readonly Word[],
  chosen: readonly Word[],
  isFound: (word: Word) => boolean,
): boolean {
  const mildest = Math.max(...chosen.map((word) => worstFirst.indexOf(word)));
  return worstFirst.slice(0, mildest + 1).some(isFound);
}
