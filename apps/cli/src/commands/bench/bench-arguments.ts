import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { GateName } from '../../gates/gate-list.ts';
import type { Gate } from '../../gates/read-gates.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm, ToolForm } from '../../report/forms.ts';
import type { TrackingForm } from '../../tracking/tracking-forms.ts';

/** Parsed arguments of `assay bench`, which studies the costs and times of rules. */
export interface BenchArguments extends CommandSettings {
  readonly paths: readonly string[];
  /** Path of the rules to study (alone or after the version), or a part of their text; undefined to study all rules. */
  readonly rule: string | undefined;
  /** Paths of the objects with which the searches of the study start. */
  readonly objects: readonly string[];
  /** Revision of the git repository whose definitions are the base of the comparison; undefined for no comparison. */
  readonly base: string | undefined;
  /** Time budget of the study, in ms. */
  readonly budgetMs: number;
  readonly seed: number;
  /** True if the study also measures how long the rules run; false if it finds costs only. */
  readonly isTimed: boolean;
  readonly options: EvaluationOptions;
  /** Path of a program that measures rules with the Go libraries of Kubernetes; undefined if no program is given. */
  readonly goProgram: string | undefined;
  /** Address of the service that performs the study, without a trailing slash; undefined if this process performs the study. */
  readonly server: string | undefined;
  readonly failOn: readonly Gate<GateName<'bench'>>[];
  /** Minor versions whose estimates the gates compare. */
  readonly minors: readonly Minor[];
  readonly output: OutputForm | ToolForm | TrackingForm | 'html' | 'markdown';
}
