import type { EvaluationOptions } from '#documents';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import type { UnwantedAdvice } from '../../evaluation/place-findings.ts';
import type { FailureKind } from '../../gates/gate-list.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { EvaluationForm } from './report/all-reports.ts';

/** Parsed arguments of `assay evaluate`, which validates objects. */
export interface EvaluateArguments extends CommandSettings {
  /** Folder in which definitions for objects are searched if the given files do not contain them. */
  readonly crds: string | undefined;
  /** Cluster from which definitions and the stored objects are read. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: EvaluationForm;
  readonly options: EvaluationOptions;
  /** Paths of files with the older state of the objects; empty if there is no older state. */
  readonly old: readonly string[];
  /** Revision of the git repository in which the same paths contain the older state of the objects. */
  readonly base: string | undefined;
  /** True if objects without a definition make the evaluation fail. */
  readonly strictKinds: boolean;
  /** Kinds of findings that cause exit status 1. */
  readonly failOn: readonly FailureKind[];
  /** True if every object is expected to be rejected, so that an accepted object is a failure. */
  readonly mustReject: boolean;
  /** True if only problems and the summary (counts of verdicts) are printed. */
  readonly quiet: boolean;
  readonly unwantedAdvice: UnwantedAdvice;
  /** True if the server's complete messages are printed, instead of shortened messages with locations. */
  readonly asServer: boolean;
}
