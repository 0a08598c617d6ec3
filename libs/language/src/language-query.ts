import type { Minor } from '#kube';
import type { Workspace } from './workspace.ts';

/** The basis of an answer: the open texts, and the chosen minor. */
export interface LanguageQuery {
  readonly workspace: Workspace;
  readonly minor: Minor;
}
