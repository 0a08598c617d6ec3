import type { CancellationToken } from '#go';
import { OBJECT_BUDGET } from '#kube';
import { countVerdict, emptyTally, epochNow } from '#documents';
import type { ChunkResult, JudgingSettings, SpanRecord } from '#documents';
import type { EvaluateWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { JudgingCaches } from './judge-item.ts';
import { cancelled, overBudget } from './judged.ts';
import type { JudgedItem } from './judged.ts';
import { isTracedObject, objectSpan } from './object-span.ts';
import { writeJson } from '#go';
import { admissionReport } from './item-admission.ts';

/**
 * Computes the verdicts on the items of a chunk on one thread, in order. If the token requests cancellation, the remaining items get the
 * outcome `cancelled`.
 */
export function evaluateItems(
  { items, firstItem, settings, traceparent, celLeft = Infinity }: EvaluateWork,
  caches: JudgingCaches,
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
function chargeOf({ verdict, admission }: JudgedItem, { options }: JudgingSettings): number {
  const cost = verdict?.cost.cel ?? 0;
  if (cost >= 0) return cost + (admission?.cost ?? 0);
  const { perObject } = options.costLimits;
  return typeof perObject === 'number' ? perObject : OBJECT_BUDGET;
}

/**
 * Returns the verdict as one line of JSON. The stored object is written as Go writes it, because `JSON.stringify` would change its numbers.
 */
export function verdictLine(index: number, judged: JudgedItem, settings: JudgingSettings): string {
  const line = plainAcceptance(index, judged, settings) ?? anyVerdict(index, judged, settings);
  if (!settings.options.returnObjects || !judged.object) return line;
  return `${line.slice(0, -1)},"object":${writeJson(judged.object)}}`;
}

function anyVerdict(index: number, judged: JudgedItem, { options }: JudgingSettings): string {
  const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, verdict, phases, admission } = judged;
  const hints = [...(verdict?.hints ?? []), ...(admission?.hints ?? [])];
  const cost =
    verdict?.cost.cel === undefined ? undefined : { cel: verdict.cost.cel, ...(options.explain && { rules: verdict.cost.rules ?? [] }) };
  return JSON.stringify({
    index,
    apiVersion,
    kind,
    name,
    namespace,
    definition: definitionName(judged),
    outcome,
    status,
    warnings,
    ...(hints.length > 0 && { hints }),
    takenOff: verdict?.takenOff,
    missing,
    cost,
    admission: admission && admissionReport(admission, options),
    ...(options.timings && { timings: phases }),
  });
}

/**
 * Returns the same line as {@link anyVerdict} for an accepted object without warnings and additional data, but in a third of the time.
 * Returns undefined for any other result.
 */
function plainAcceptance(index: number, judged: JudgedItem, { options }: JudgingSettings): string | undefined {
  const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, verdict, admission } = judged;
  if (outcome !== 'accepted' || apiVersion === undefined || kind === undefined || verdict?.cost.cel === undefined) return undefined;
  if (status !== undefined || missing !== undefined || warnings.length > 0 || verdict.takenOff !== undefined) return undefined;
  if (admission !== undefined || verdict.hints !== undefined) return undefined;
  if (options.explain || options.timings) return undefined;
  const kindText = `,"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)}`;
  const nameText = name === undefined ? '' : `,"name":${JSON.stringify(name)}`;
  const namespaceText = namespace === undefined ? '' : `,"namespace":${JSON.stringify(namespace)}`;
  const definition = definitionName(judged);
  const definitionText = definition === undefined ? '' : `,"definition":${JSON.stringify(definition)}`;
  return `{"index":${index}${kindText}${nameText}${namespaceText}${definitionText},"outcome":"accepted","warnings":[],"cost":{"cel":${verdict.cost.cel}}}`;
}

const definitionName = ({ definition }: JudgedItem): string | undefined => definition && `${definition.plural}.${definition.group}`;
