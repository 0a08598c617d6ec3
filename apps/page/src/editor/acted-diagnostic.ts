import type { CodeAction, Diagnostic } from '#editing/language';

/** Diagnostic with the code actions that would fix it. */
export interface ActedDiagnostic extends Diagnostic {
  readonly actions?: readonly CodeAction[];
}
