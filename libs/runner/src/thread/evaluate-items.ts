import type { CancellationToken } from '#go';
import { OBJECT_BUDGET } from '#kube';
import { countVerdict, emptyTally, epochNow } from '#documents';
import type { ChunkResult, JudgingSettings, SpanRecord } from '#documents';
import type { EvaluateWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { Caches } from './judge-item.ts';
import { cancelled, overBudget } from './judged.ts';
import type { Judged } from './judged.ts';
import { isTracedObject, objectSpan } from './object-span.ts';
import { verdictLine } from './verdict-line.ts';

/**
 * Computes the verdicts on the items of a chunk on one thread, in order. If the token requests cancellation, the remaining items get the
 * outcome `cancelled`.
 */
export function evaluateItems(
  { items, firstItem, settings, traceparent, celLeft = Infinity }: EvaluateWork,
  caches: Caches,
  token: CancellationToken,
): ChunkResult {
  const traced = traceparent !== undefined;
  const tally = emptyTally();
  const verdicts: string[] = [];
  const spans: SpanRecord[] = [];
  let celCharge = 0;
  items.forEach((item, i) => {
    const stopped = token.cancelled;
    const hasSpan = traced && (i === 0 || i === items.length - 1 || isTracedObject(firstItem + i));
    const startMs = hasSpan ? epochNow() : 0;
    const judged = stopped ? cancelled() : celCharge >= celLeft ? overBudget(settings) : judgeItem(item, settings, caches, token);
    celCharge += chargeOf(judged, settings);
    countVerdict(
      tally,
      judged.outcome,
      judged.warnings.length,
      (judged.verdict?.cost.cel ?? 0) + (judged.admission?.cost ?? 0),
      judged.phases,
    );
    if (judged.verdict?.takenOff) tally.takenOff++;
    verdicts.push(verdictLine(firstItem + i, judged, settings));
    if (!hasSpan || stopped) return;
    spans.push(objectSpan({ index: firstItem + i, thread: caches.thread }, judged, { startMs, endMs: epochNow() }, settings.options));
  });
  return { verdicts, tally, celCharge, spans };
}

/**
 * Returns the cost units by which an object reduces the evaluation's budget. If a cost limit stopped the evaluation of the object (its cost
 * is -1), returns the whole cost limit of one object.
 */
function chargeOf({ verdict, admission }: Judged, { options }: JudgingSettings): number {
  const cost = verdict?.cost.cel ?? 0;
  if (cost >= 0) return cost + (admission?.cost ?? 0);
  const { perObject } = options.costLimits;
  return typeof perObject === 'number' ? perObject : OBJECT_BUDGET;
}
