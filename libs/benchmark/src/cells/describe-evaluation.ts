import type { LoneRule } from '#crd';
import { writeJson, isJsonObject } from '#go';
import type { JsonValue, JsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import { RuleProbe } from '../search/rule-probe.ts';
import type { WritePlan } from '../study/study-report.ts';
import type { CellSubjects, FoundRule } from './studied-definition.ts';
import type { EvaluationCell, EvaluationText } from './study-cell.ts';
import { candidateOf } from './write-plan.ts';

/**
 * Returns an evaluation as an input line for the program `loadtests/go/rule-times`. That program measures the evaluation's time with the
 * libraries of Kubernetes.
 */
export function evaluationLine(name: string, { schema, root, value, old }: Omit<EvaluationText, 'cost'>): string {
  const before = old === undefined ? '' : `,"old":${old}`;
  return `{"name":${JSON.stringify(name)},"schema":${schema},"root":${root},"object":${value}${before}}\n`;
}

/**
 * Describes, as JSON texts, one evaluation of a rule in the generated write (create or update of an object) of the plan `worst`. Returns
 * undefined if the rule or the definition's source document is missing. Also returns undefined if the rule does not evaluate to true, for
 * example because a cost limit ends the evaluation.
 */
export function describeEvaluation({ rule: key, worst }: EvaluationCell, { head, source }: CellSubjects): EvaluationText | undefined {
  const found = head('adaptive').find(key);
  if (found === undefined || source === undefined) return undefined;
  const written = costliestValue(found, worst, PER_CALL_LIMIT);
  const schema = schemaOfNode(source(), found.rule);
  if (written === undefined || schema === undefined) return undefined;
  const { value, old, cost } = written;
  return {
    schema: writeJson(schema),
    root: found.rule.steps.length === 0,
    value: writeJson(value),
    cost,
    ...(old !== undefined && { old: writeJson(old) }),
  };
}

/** Value of the schema node that has a rule, with the old value of this node. `old` is undefined if there is no old value. */
export interface NodeValue {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

/** Value of the schema node that has a rule, with the cost of evaluating the rule on this value. */
export interface PricedValue extends NodeValue {
  /** Cost of the evaluation in cost units. */
  readonly cost: number;
}

/**
 * Returns the value that a generated object has at the schema node of the rule, with the cost of evaluating the rule on this value. `plan`
 * describes the generated object. If the object has several values of this node, the first value is returned. Returns undefined if the rule
 * does not evaluate to true for this value.
 */
export function costliestValue({ rule, among }: FoundRule, plan: WritePlan, costLimit: number): PricedValue | undefined {
  const trial = new RuleProbe(rule, among.writing).try(candidateOf(plan), { costLimit, token: undefined, isChecked: false });
  return trial.kind === 'evaluated' && trial.outcome === 'true' ? { value: trial.value, old: trial.old, cost: trial.cost } : undefined;
}

/**
 * Returns the JSON schema of the node at which a rule is declared, with this rule as the only rule. Returns undefined if the definition has
 * no such node.
 */
export function schemaOfNode(definition: JsonValue, { steps, version, rule }: LoneRule): JsonObject | undefined {
  let node = schemaOfVersion(definition, version.name);
  for (const step of steps) node = step.kind === 'property' ? at(at(node, 'properties'), step.name) : at(node, step.kind);
  if (!isJsonObject(node)) return undefined;
  const { source } = rule;
  const alone: JsonObject = { rule: source.rule };
  if (source.optionalOldSelf === true) alone['optionalOldSelf'] = true;
  return { ...withoutRules(node), 'x-kubernetes-validations': [alone] };
}

const at = (value: JsonValue | undefined, name: string): JsonValue | undefined => (isJsonObject(value) ? value[name] : undefined);

function schemaOfVersion(definition: JsonValue, name: string): JsonValue | undefined {
  const spec = at(definition, 'spec');
  const versions = at(spec, 'versions');
  const version = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === name) : undefined;
  return at(at(version, 'schema') ?? at(spec, 'validation'), 'openAPIV3Schema');
}

/** Keywords that are removed from the schema: the rules themselves, and all keywords that do not change the cost of a rule. */
const DROPPED: ReadonlySet<string> = new Set(['x-kubernetes-validations', 'description', 'default', 'example']);
const ONE_NODE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
const NODES: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

const bare = (value: JsonValue): JsonValue => (isJsonObject(value) ? withoutRules(value) : value);

function withoutRules(node: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, JsonValue][] => {
      if (DROPPED.has(key)) return [];
      if (key === 'properties' && isJsonObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, bare(child)]))]];
      if (NODES.has(key) && Array.isArray(value)) return [[key, value.map(bare)]];
      return [[key, ONE_NODE.has(key) ? bare(value) : value]];
    }),
  );
}
