import { times } from '#numbers';
import { studyDefinitions } from '#service';
import type { EvaluationOptions } from '#documents';
import type { PlacedFindings } from '#benchmark';
import type { StudyRequest } from '#service';
import type { Engine } from '#runner';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { ProgressLine } from '../../report/progress.ts';

/** Settings of the search for the most expensive writes. */
export interface DearestSearch extends Partial<Pick<StudyRequest, 'isWanted'>> {
  readonly options: EvaluationOptions;
  /** Time budget in ms. */
  readonly budgetMs: number;
}

/**
 * Searches within a time budget in ms for the most expensive write that each rule of the definitions can get. Returns the rules, the one
 * with the most expensive write first. By default, all rules are searched.
 */
export async function dearestRules(
  definitions: readonly PlacedDocument[],
  { options, budgetMs, isWanted = () => true }: DearestSearch,
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly PlacedFindings[]> {
  const progress = new ProgressLine();
  const studied = definitions.map(({ source, slice }) => ({ source, slice }));
  const { rules } = await studyDefinitions(
    engine,
    { definitions: studied, options, objects: [], budgetMs, seed: 1, base: undefined, isTimed: false, isWanted },
    { signal, notify: (state) => progress.report(() => `dearest writes: ${state.known} of ${times(state.rules, 'rule')}`) },
  );
  progress.end();
  return rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0));
}
