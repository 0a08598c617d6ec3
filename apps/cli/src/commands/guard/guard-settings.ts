import type { GuardLimits } from '#service';

/**
 * Modes of the guard (admission webhook) for a change in which it finds problems. The guard refuses the change, permits it with warnings,
 * or permits it with a note in the audit log.
 */
export const GUARD_MODES = ['deny', 'warn', 'audit'] as const;

/**
 * Reaction of the guard (admission webhook) to a change of a definition or policy in which it finds problems, one of {@link GUARD_MODES}.
 * The guard refuses the change, permits it with warnings, or permits it with a note in the audit log.
 */
export type GuardMode = (typeof GUARD_MODES)[number];

/** Annotation of an object that sets the {@link GuardMode} for changes of this object. */
export const MODE_ANNOTATION = 'assay/guard-mode';
/**
 * Label that excludes an object from the guard if its value is `true`. The guard is the admission webhook that checks changes of
 * definitions and policies.
 */
export const EXEMPT_LABEL = 'assay/guard-exempt';

/** Settings that determine the decisions of the guard, the admission webhook that checks changes of definitions and policies. */
export interface GuardSettings {
  readonly limits: GuardLimits;
  /** Mode (`deny`, `warn` or `audit`) for objects that do not set a mode themselves. */
  readonly mode: GuardMode;
  /** Decision about a change if the guard has no findings but could not complete the check, for lack of time or of readable facts. */
  readonly whenLate: 'allow' | 'deny';
}
