import type { GuardLimits } from '#service';

/** The treatment of a change with findings. */
export const GUARD_MODES = ['deny', 'warn', 'audit'] as const;

/** One of {@link GUARD_MODES}: it is refused, permitted with warnings, or permitted with a note in the audit log. */
export type GuardMode = (typeof GUARD_MODES)[number];

/** The annotation of an object that names its {@link GuardMode}. */
export const MODE_ANNOTATION = 'assay/guard-mode';
/** The label of an object that is not guarded: `true`. */
export const EXEMPT_LABEL = 'assay/guard-exempt';

/** Settings of the decisions of a guard. */
export interface GuardSettings {
  readonly limits: GuardLimits;
  /** The mode, if an object names none. */
  readonly mode: GuardMode;
  /** The decision about a change without findings, if there was no time to find all. */
  readonly whenLate: 'allow' | 'deny';
}
