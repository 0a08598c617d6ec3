/** Findings of a diff that end with exit status 1, the worst first. */
export const DIFF_FAILURES = ['refused', 'objects', 'breaking'] as const;

/** One of {@link DIFF_FAILURES}: a server refuses it, stored objects break, or clients may. */
export type DiffFailure = (typeof DIFF_FAILURES)[number];
