import { times } from '#report-forms';
import { describeWrites, studyDefinitions } from '#service';
import type { DescribedWrite } from '#service';
import type { EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { ProgressLine } from '../progress.ts';
import type { PlacedDocument } from '../read-documents.ts';
import { UsageError } from '../usage.ts';

/** Writes that are sent, at most: the dearest ones. Each has up to 3 MiB. */
const MOST_WRITES = 50;

/** Finds the dearest write of each rule within a budget of time, the dearest first. Throws {@link UsageError} if there is none. */
export async function worstWrites(
  definitions: readonly PlacedDocument[],
  { options, budgetMs }: { readonly options: EvaluationOptions; readonly budgetMs: number },
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly DescribedWrite[]> {
  const studied = { definitions: definitions.map(({ source, slice }) => ({ source, slice })), options };
  const progress = new ProgressLine();
  const { rules } = await studyDefinitions(
    engine,
    { ...studied, objects: [], budgetMs, seed: 1, base: undefined, isTimed: false, isWanted: () => true },
    { signal, tell: (state) => progress.report(() => `dearest writes: ${state.known} of ${times(state.rules, 'rule')}`) },
  );
  progress.end();
  const dearest = rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0)).slice(0, MOST_WRITES);
  const writes = await describeWrites(engine, studied, dearest, signal);
  if (writes.length === 0 && !signal.aborted) throw new UsageError('--worst: no write was found for the rules of the definitions');
  return writes;
}
