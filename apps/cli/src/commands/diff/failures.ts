/** Findings of a diff that can cause exit status 1, the worst first. */
export const DIFF_FAILURES = ['refused', 'objects', 'breaking'] as const;

/** Finding of a diff, one of {@link DIFF_FAILURES}: a server refuses the definition, stored objects break, or clients may break. */
export type DiffFailure = (typeof DIFF_FAILURES)[number];
