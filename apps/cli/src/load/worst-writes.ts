import { times } from '#numbers';
import { describeWrites, studyDefinitions } from '#service';
import type { DescribedWrite } from '#service';
import type { EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import { ProgressLine } from '../progress.ts';
import type { PlacedDocument } from '../read-documents.ts';
import { UsageError } from '../usage.ts';

/** Maximum number of writes that are sent; the most expensive writes are chosen. Each write has up to 3 MiB. */
const MOST_WRITES = 50;

/**
 * Searches within a time budget for the most expensive write request that each rule can get. Returns the requests, highest cost first.
 * Throws {@link UsageError} if no request is found.
 */
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
