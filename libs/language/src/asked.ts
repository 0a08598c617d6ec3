import type { Minor } from '#kube';
import type { Workspace } from './workspace.ts';

/** What a question is answered with: the open texts, and the minor that is meant. */
export interface Asked {
  readonly workspace: Workspace;
  readonly minor: Minor;
}
