import type { Minor } from '#kube';
import type { Workspace } from '../open-texts/workspace.ts';

/** Context of a request from the editor: the open texts and the selected Kubernetes minor version. */
export interface LanguageQuery {
  readonly workspace: Workspace;
  readonly minor: Minor;
}
