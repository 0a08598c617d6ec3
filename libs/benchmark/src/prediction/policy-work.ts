import type { CheckedExpression, NodeReadings } from '#cel';
import { MEASURED_MODEL } from './measured-models.ts';
import { serverWork } from './server-work.ts';

/** One evaluation of an expression of a policy, by the CEL engine that counts. */
export interface MeasuredEvaluation {
  /** True if the expression is a variable of the policy. */
  readonly isVariable: boolean;
  readonly checked: CheckedExpression;
  readonly readings: NodeReadings;
}

/** Numbers of things that a server does for one request under one policy. */
export interface PolicyRequestFacts {
  /** Number of bindings that a server compares with the request. */
  readonly bindings: number;
  /** Number of pairs of a matching binding and a parameter object. A binding without parameters counts once. */
  readonly invocations: number;
  /** Number of invocations that have a parameter object. */
  readonly parameters: number;
  /** Number of parameter objects that bindings with a selector compare with their selectors, added up over the bindings. */
  readonly candidates: number;
  /** Number of lists of expressions that share a budget and are evaluated, added up over the invocations. */
  readonly lists: number;
  readonly evaluations: readonly MeasuredEvaluation[];
  /** Number of calls of mutations, by patch type. */
  readonly applied: number;
  readonly patched: number;
  /** Size of the request's object as JSON, in bytes. */
  readonly objectBytes: number;
}

/** Kinds of steps of a request under a policy. The model of policies has a time for each of them. */
export const POLICY_STEPS = [
  'request',
  'binding',
  'invocation',
  'parameter',
  'candidate',
  'list',
  'expression',
  'variable',
  'field',
  'step',
  'merge',
  'merged byte',
  'patch',
  'patched byte',
] as const;
export type PolicyStep = (typeof POLICY_STEPS)[number];

/** Number of steps by kind. The amount of `step` is the time in ns that the model of rules gives for all other steps of expressions. */
export type PolicyWork = Readonly<Record<PolicyStep, number>>;

/** A model of a server's speed under admission policies: the time in ns of one step of each kind. */
export interface PolicyModel {
  readonly nanoseconds: PolicyWork;
}

/**
 * Returns the steps that an API server performs for one request under a policy. They are comparisons with bindings, preparations of
 * evaluations, the steps of the expressions, and patches. The fields of an object are counted apart, because policies read objects without
 * a schema.
 */
export function policyWork(facts: PolicyRequestFacts): PolicyWork {
  const { bindings, invocations, parameters, candidates, lists, evaluations, applied, patched, objectBytes } = facts;
  const known = new Map<CheckedExpression, Map<string, readonly [fields: number, otherNs: number]>>();
  let [field, step] = [0, 0];
  for (const { checked, readings } of evaluations) {
    const alike = known.get(checked) ?? new Map<string, readonly [number, number]>();
    known.set(checked, alike);
    const key = countsOf(readings);
    const [fields, steps] = alike.get(key) ?? expressionSteps(checked, readings);
    alike.set(key, [fields, steps]);
    field += fields;
    step += steps;
  }
  const variable = evaluations.filter(({ isVariable }) => isVariable).length;
  return {
    request: 1,
    binding: bindings,
    invocation: invocations,
    parameter: parameters,
    candidate: candidates,
    list: lists,
    expression: evaluations.length,
    variable,
    field,
    step,
    merge: applied,
    'merged byte': applied * objectBytes,
    patch: patched,
    'patched byte': patched * objectBytes,
  };
}

/**
 * Returns the total cost and the numbers of evaluations as text. Evaluations of an expression with equal numbers count as alike, because a
 * thousand bindings evaluate the same expression a thousand times.
 */
function countsOf({ costs, evaluations, elements }: NodeReadings): string {
  const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);
  return `${sum(costs)} ${sum(evaluations)} ${sum(elements)}`;
}

/** Steps that read a field, an entry or an element. */
const READING: ReadonlySet<string> = new Set(['field', 'index', 'test']);
/** Steps that only the rules of definitions have: values of policies have no schema whose properties a server copies. */
const OF_RULES: ReadonlySet<string> = new Set(['property', 'evaluation']);

/** Returns the number of fields that an evaluation reads, and the time in ns of its other steps in the model of rules. */
function expressionSteps(checked: CheckedExpression, readings: NodeReadings): readonly [fields: number, otherNs: number] {
  const { nanoseconds } = MEASURED_MODEL;
  let [fields, ns] = [0, 0];
  for (const [kind, amount] of Object.entries(serverWork(checked, readings).amounts)) {
    if (OF_RULES.has(kind)) continue;
    if (READING.has(kind)) fields += amount;
    // In policies, the types of compared values are unknown, so each comparison counts as a comparison of scalars.
    else ns += amount * (nanoseconds[kind] ?? nanoseconds[kind.replace(/ of others$/, ' of scalars')] ?? nanoseconds['operator'] ?? 0);
  }
  return [fields, ns];
}

/** Predicts the CPU time in ms that a real API server needs for the policy plugin in one request. */
export function predictPolicyTime(work: PolicyWork, { nanoseconds }: PolicyModel): number {
  return POLICY_STEPS.reduce((ns, kind) => ns + work[kind] * nanoseconds[kind], 0) / 1e6;
}
