import type { GuardLimits } from '#service';

/** What becomes of a change that there is something against. */
export const GUARD_MODES = ['deny', 'warn', 'audit'] as const;

/** One of {@link GUARD_MODES}: it is refused, permitted with warnings, or permitted with a note in the audit log. */
export type GuardMode = (typeof GUARD_MODES)[number];

/** The annotation of an object that names its {@link GuardMode}. */
export const MODE_ANNOTATION = 'assay/guard-mode';
/** The label of an object that is not guarded: `true`. */
export const EXEMPT_LABEL = 'assay/guard-exempt';

/** How a guard decides. */
export interface GuardSettings {
  readonly limits: GuardLimits;
  /** Where an object names none. */
  readonly mode: GuardMode;
  /** Whether a change is allowed about which not all was found out in time, and nothing against it. */
  readonly whenLate: 'allow' | 'deny';
}
