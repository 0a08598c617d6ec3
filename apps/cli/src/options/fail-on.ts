/** Findings of an evaluation that can cause exit status 1, the worst first. */
export const FAILURES = ['rejected', 'not-evaluated', 'warning'] as const;

/** Kind of finding for which the user can request exit status 1 of an evaluation, one of {@link FAILURES}. */
export type FailureKind = (typeof FAILURES)[number];

/** Findings of a diff that can cause exit status 1, the worst first. */
export const DIFF_FAILURES = ['refused', 'objects', 'breaking'] as const;

/** Finding of a diff, one of {@link DIFF_FAILURES}: a server refuses the definition, stored objects break, or clients may break. */
export type DiffFailure = (typeof DIFF_FAILURES)[number];

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
