import { compositeNotice } from '#documents';
import type { DefinitionDiff, EstimateChanges, TotalEstimates } from '#service';
import type { FailedChangeGate } from '../../../gates/change-gates.ts';
import type { RankedWord } from '../../../gates/gate-list.ts';

/** Changes of one definition, with the gates that its estimates fail. The totals of its versions replace the estimates of its rules. */
export interface GatedDiff extends Omit<DefinitionDiff, 'estimates'> {
  readonly totals?: readonly TotalEstimates[];
  /** Absent if there is no such gate. */
  readonly failed?: readonly FailedDiffGate[];
}

/** Gate that a diff fails: one on estimates, or a word on its effects. */
export type FailedDiffGate = Omit<FailedChangeGate, 'name'> & { readonly name: FailedChangeGate['name'] | RankedWord<'diff'> };

/** Result of `assay diff`. */
export interface DiffOutcome {
  readonly definitions: readonly GatedDiff[];
  /** Estimates of both states, in the order of the definitions. */
  readonly estimates: readonly EstimateChanges[];
  /** File location of each object in the older revision, at the object's index. */
  readonly sources: readonly string[];
}

/** Maximum number of objects, rules and gates that are listed one by one; all are counted. */
export const MAX_LISTED = 20;

/** Returns the note about definitions that were made of CompositeResourceDefinitions; undefined if there are none. */
export const compositeNote = (definitions: readonly GatedDiff[]): string | undefined =>
  compositeNotice(definitions.flatMap(({ report }) => report ?? []));

/** Returns the end of a heading that states a refusal. */
export const refusalText = ({ report }: GatedDiff): string => (report === undefined || report.accepted ? '' : ', and refused');
