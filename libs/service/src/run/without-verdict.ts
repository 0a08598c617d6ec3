import type { Status } from '#kube';
import { countVerdict, emptyTally, unjudgedVerdict } from '#documents';
import type { ChunkResult, DocumentSlice, ItemOutcome } from '#documents';

/** Returns a result for items that were not evaluated. Each verdict contains `status`, which states the reason. */
export function withoutVerdict(
  items: readonly DocumentSlice[],
  firstItem: number,
  outcome: Extract<ItemOutcome, 'cancelled' | 'notEvaluated'>,
  status: Status,
): ChunkResult {
  const tally = emptyTally();
  for (let i = 0; i < items.length; i++) countVerdict(tally, outcome, 0, 0, {});
  return { verdicts: items.map((_, i) => unjudgedVerdict(firstItem + i, outcome, status)), tally, celCharge: 0, spans: [] };
}
