import { writeJson } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET } from '#kube';
import { countVerdict, emptyTally } from '#evaluation';
import type { ChunkResult, JudgingSettings, SpanRecord } from '#evaluation';
import type { EvaluateWork } from '../protocol.ts';
import { admissionReport } from './item-admission.ts';
import { judgeItem } from './judge-item.ts';
import type { Caches } from './judge-item.ts';
import { cancelled, overBudget } from './judged.ts';
import type { Judged } from './judged.ts';
import { objectSpan } from './object-span.ts';

/** Where one thread judges a chunk, item by item, in order. What is left when the token is raised ends as cancelled. */
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
    const startMs = traced ? epochNow() : 0;
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
    if (traced && !stopped) spans.push(objectSpan(firstItem + i, judged, { startMs, endMs: epochNow() }, settings.options));
  });
  return { verdicts, tally, celCharge, spans };
}

/** What an object takes of the evaluation's budget. One that a limit stopped (its cost is -1) takes all it was allowed. */
function chargeOf({ verdict, admission }: Judged, { options }: JudgingSettings): number {
  const cost = verdict?.cost.cel ?? 0;
  if (cost >= 0) return cost + (admission?.cost ?? 0);
  const { perObject } = options.costLimits;
  return typeof perObject === 'number' ? perObject : OBJECT_BUDGET;
}

/** The verdict as one JSON line. The stored object is written as Go would, since its numbers do not survive JSON.stringify. */
function verdictLine(index: number, judged: Judged, { options }: JudgingSettings): string {
  const { outcome, apiVersion, kind, name, namespace, definition, status, missing, warnings, verdict, object, phases, admission } = judged;
  const cost =
    verdict?.cost.cel === undefined ? undefined : { cel: verdict.cost.cel, ...(options.explain && { rules: verdict.cost.rules ?? [] }) };
  const line = JSON.stringify({
    index,
    apiVersion,
    kind,
    name,
    namespace,
    definition: definition && `${definition.plural}.${definition.group}`,
    outcome,
    status,
    warnings,
    takenOff: verdict?.takenOff,
    missing,
    cost,
    admission: admission && admissionReport(admission, options),
    ...(options.timings && { timings: phases }),
  });
  if (!options.returnObjects || !object) return line;
  return `${line.slice(0, -1)},"object":${writeJson(object)}}`;
}

const epochNow = (): number => performance.timeOrigin + performance.now();
