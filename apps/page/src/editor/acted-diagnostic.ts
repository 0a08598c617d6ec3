import type { CodeAction, Diagnostic } from '#language';

/** A diagnostic with what would help with it. */
export interface ActedDiagnostic extends Diagnostic {
  readonly actions?: readonly CodeAction[];
}
