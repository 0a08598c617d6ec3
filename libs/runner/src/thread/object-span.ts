import { OBJECT_BUDGET } from '#kube';
import type { ObjectVerdict } from '#crd';
import type { EvaluationOptions, SpanRecord } from '#documents';
import type { JudgedItem } from './judged.ts';

/** Minimum cost in cost units of a rule that gets a span even without `explain`: a hundredth of the per-object budget. */
const SLOW_RULE_UNITS = OBJECT_BUDGET / 100;

/** Number of objects at the beginning of an evaluation that get spans. With their phases, they get at most 1,000 spans. */
const TRACED_OBJECTS = 200;
/** Maximum number of spans for the rules of one object. */
const TRACED_RULES = 20;

/** Returns true if the object at an index of an evaluation gets spans. The first and last object of each chunk get spans, too. */
export const isTracedObject = (index: number): boolean => index < TRACED_OBJECTS;

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
export function objectSpan(
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
