import type { ObjectVerdict } from '#crd';
import { countVerdict, emptyTally, epochNow } from '#documents';
import type { ChunkResult, EvaluationOptions, JudgingSettings, SpanRecord } from '#documents';
import { writeJson } from '#go';
import type { CancellationToken } from '#go';
import { OBJECT_BUDGET } from '#kube';
import type { EvaluateWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { JudgingCaches } from './judge-item.ts';
import { admissionReport, cancelled, overBudget } from './judged.ts';
import type { JudgedItem } from './judged.ts';

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

/** Minimum cost in cost units of a rule that gets a span even without `explain`: a hundredth of the per-object budget. */
const SLOW_RULE_UNITS = OBJECT_BUDGET / 100;

/** Number of objects at the beginning of an evaluation that get spans. With their phases, they get at most 1,000 spans. */
const TRACED_OBJECTS = 200;
/** Maximum number of spans for the rules of one object. */
const TRACED_RULES = 20;

/** Returns true if the object at an index of an evaluation gets spans. The first and last object of each chunk get spans, too. */
const isTracedObject = (index: number): boolean => index < TRACED_OBJECTS;

/** Times at which the evaluation of an object began and ended, in epoch ms. */
interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Returns the trace span for the validation of one object, with a child span for each phase. The CEL phase has spans of rules if the cost
 * of each rule was requested or a rule is expensive. If policies were evaluated, an attribute contains their cost. No span contains content
 * of the object.
 */
function objectSpan(
  { index, thread }: { readonly index: number; readonly thread: string | undefined },
  { outcome, kind, definition, verdict, admission }: JudgedItem,
  { startMs, endMs }: Times,
  options: EvaluationOptions,
): SpanRecord {
  return {
    name: 'validate object',
    startMs,
    endMs,
    attributes: {
      'assay.object.index': index,
      ...(thread !== undefined && { 'assay.thread': thread }),
      'assay.outcome': outcome,
      'assay.kubernetes.version': options.kubernetesVersion,
      ...(definition && { 'assay.definition': `${definition.plural}.${definition.group}` }),
      ...(definition === undefined && verdict !== undefined && kind !== undefined && { 'assay.kind': kind }),
      ...(verdict?.cost.cel !== undefined && { 'assay.cel.cost': verdict.cost.cel }),
      ...(admission && { 'assay.policies.cost': admission.cost }),
    },
    children: phaseSpans(verdict, startMs, endMs, options),
  };
}

function phaseSpans(
  verdict: Exclude<ObjectVerdict, { cancelled: true }> | undefined,
  startMs: number,
  endMs: number,
  options: EvaluationOptions,
): SpanRecord[] {
  const phases = verdict?.phases;
  if (!verdict || !phases) return [];
  let at = startMs;
  const spans: SpanRecord[] = [];
  for (const [name, ms] of [
    ['parse', phases.parse],
    ['prune and default', phases.prune],
    ['openapi', phases.openapi],
    ['cel', phases.cel],
  ] as const) {
    const end = Math.min(at + ms, endMs);
    spans.push({ name, startMs: at, endMs: end, attributes: {}, children: name === 'cel' ? ruleSpans(verdict, at, end, options) : [] });
    at = end;
  }
  return spans;
}

/**
 * Returns the spans of rules, at most {@link TRACED_RULES}: those with the highest cost. The time of a single rule is not measured, so the
 * spans divide the CEL phase in proportion to the rules' costs. An attribute of each span states this.
 */
function ruleSpans(
  verdict: Exclude<ObjectVerdict, { cancelled: true }>,
  startMs: number,
  endMs: number,
  options: EvaluationOptions,
): SpanRecord[] {
  const rules = verdict.cost.rules ?? [];
  const least = rules.map(({ cost }) => cost).sort((a, b) => b - a)[TRACED_RULES - 1] ?? 0;
  let left = TRACED_RULES;
  const total = rules.reduce((sum, rule) => sum + rule.cost, 0);
  let spent = 0;
  return rules.flatMap((rule) => {
    const from = startMs + ((endMs - startMs) * spent) / Math.max(1, total);
    spent += rule.cost;
    if ((!options.explain && rule.cost < SLOW_RULE_UNITS) || rule.cost < least || left === 0) return [];
    left--;
    const to = startMs + ((endMs - startMs) * spent) / Math.max(1, total);
    const budget = typeof options.costLimits.perObject === 'number' ? options.costLimits.perObject : OBJECT_BUDGET;
    return [
      {
        name: 'evaluate rule',
        startMs: from,
        endMs: to,
        attributes: {
          'assay.rule.path': rule.path,
          'assay.cel.cost': rule.cost,
          'assay.cel.budget.left': budget - spent,
          'assay.timing': 'by share of cost',
        },
        children: [],
      },
    ];
  });
}
