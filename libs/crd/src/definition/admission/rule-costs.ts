import { compareBytes } from '#go';
import type { FieldError } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import { childAt, schemaPathText } from '../../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../../schema/schema-path.ts';
import { holdsRules } from '../../schema/schema-props.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { RuleCost } from '../../verdict.ts';
import { addCost, multiplyCost } from './rule-context.ts';
import type { RuleCompilation, RuleContext } from './rule-context.ts';

/**
 * Estimated costs of the rules of a definition: the cost of each rule, and the sum for each version. The estimates follow from the schemas
 * alone, without an object.
 */
export interface DefinitionCosts {
  readonly rules: readonly RuleCost[];
  readonly schemaCost: ReadonlyMap<string, bigint>;
}

/**
 * Returns the highest cost of a rule for a whole object: the cost of one evaluation times the maximum number of evaluations. If a list or
 * map around the rule has no bound, the number of evaluations is `minSizeCardinality`.
 */
export function totalCost(rule: RuleCompilation, context: RuleContext, minSizeCardinality: bigint): bigint {
  return multiplyCost(rule.maxCost, context.cardinality ?? minSizeCardinality);
}

/**
 * Returns the cost of every rule and the sum for each version, including rules that validation skips because of other errors. `contexts`
 * contains, by version name, the compilation context of the root node of the version's schema.
 */
export function definitionCosts(definition: Definition, contexts: ReadonlyMap<string, RuleContext>): DefinitionCosts {
  const rules: RuleCost[] = [];
  const schemaCost = new Map<string, bigint>();
  const { versions } = definition.spec;
  for (const { name } of versions) {
    // If two versions have the same name, Kubernetes uses the schema of the first version for both.
    const schema = versions.find((version) => version.name === name)?.schema;
    const context = contexts.get(name);
    if (schema === undefined || context === undefined) continue;
    let sum = 0n;
    for (const node of ruleNodes(schema, context)) {
      const costs = nodeCosts(name, node);
      rules.push(...costs);
      for (const { totalCost, messageMaxCost = 0n } of costs) sum = addCost(addCost(sum, totalCost), messageMaxCost);
    }
    schemaCost.set(name, sum);
  }
  return { rules, schemaCost };
}

/** Returns the estimated costs of the rules that one schema node of the version `version` declares. */
export function nodeCosts(version: string, { schema, context, rulePaths }: RuleNode): RuleCost[] {
  const compiled = context.compile();
  const { cardinality } = context;
  return schema.rules.map((source, i) => {
    const head = { version, path: rulePaths[i] as string, rule: source.rule, cardinality };
    if (!compiled.ok) return { ...head, maxCost: 0n, totalCost: 0n, usesOldSelf: false, error: compiled.error };
    const rule = compiled.rules[i] as RuleCompilation;
    return {
      ...head,
      maxCost: rule.maxCost,
      totalCost: totalCost(rule, context, compiled.minSizeCardinality),
      usesOldSelf: rule.usesOldSelf,
      ...(rule.messageMaxCost === undefined ? {} : { messageMaxCost: rule.messageMaxCost }),
      ...(rule.error === undefined ? {} : { error: rule.error }),
      ...(rule.messageError === undefined ? {} : { messageError: rule.messageError }),
    };
  });
}

/** Schema node that has rules. */
export interface RuleNode {
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
  readonly context: RuleContext;
  /** Paths of the node's rules, see {@link rulePathTexts}. */
  readonly rulePaths: readonly string[];
}

/**
 * Returns the nodes that have rules in the schema of a version. Parents come before their children, and properties are sorted by name.
 * `context` is the rule context of the schema's root.
 */
export function ruleNodes(schema: SchemaProps, context: RuleContext): readonly RuleNode[] {
  const found: RuleNode[] = [];
  if (holdsRules(schema)) collect(placesOf(schema), context, found);
  return found;
}

function collect({ steps, schema, rulePaths, below }: RulePlace, context: RuleContext, found: RuleNode[]): void {
  if (schema.rules.length > 0) found.push({ steps, schema, context, rulePaths });
  for (const { step, place } of below) collect(place, context.at(step, place.schema), found);
}

/**
 * Returns the paths of a node's rules in the form that errors and costs use:
 * `properties[spec].x-kubernetes-validations[0]`.
 */
export function rulePathTexts(steps: SchemaPath, rules: number): readonly string[] {
  if (rules === 0) return [];
  const at = [...(steps.length === 0 ? [] : [schemaPathText(steps)]), 'x-kubernetes-validations'].join('.');
  return Array.from({ length: rules }, (_, i) => `${at}[${i}]`);
}

/** Schema node that has rules itself or in its descendants; `below` lists the children for which this is true. */
interface RulePlace extends Omit<RuleNode, 'context'> {
  readonly below: readonly { readonly step: SchemaStep; readonly place: RulePlace }[];
}

/**
 * Cache of the schema nodes that have rules, by the root of a version's schema. Verdicts for several Kubernetes minor versions, computed
 * one after another, share the nodes. The references are weak, because freed nodes can be computed again.
 */
const places = new WeakMap<SchemaProps, WeakRef<RulePlace>>();

function placesOf(root: SchemaProps): RulePlace {
  const known = places.get(root)?.deref();
  if (known !== undefined) return known;
  const place = placeOf(root, []);
  places.set(root, new WeakRef(place));
  return place;
}

function placeOf(schema: SchemaProps, steps: SchemaPath): RulePlace {
  const below = stepsFrom(schema).flatMap((step) => {
    const child = childAt(schema, step);
    return child !== undefined && holdsRules(child) ? [{ step, place: placeOf(child, [...steps, step]) }] : [];
  });
  return { steps, schema, rulePaths: rulePathTexts(steps, schema.rules.length), below };
}

function stepsFrom({ properties }: SchemaProps): readonly SchemaStep[] {
  const names = [...(properties ?? [])].filter(([, property]) => holdsRules(property)).map(([name]) => name);
  return [
    { kind: 'additionalProperties' },
    ...names.sort(compareBytes).map((name) => ({ kind: 'property', name }) as const),
    { kind: 'items' },
  ];
}

/** Formats a number with one decimal. Exact ties are rounded to even, as in Go; `toFixed` would round them up. */
function oneDecimal(value: number): string {
  const tie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  if (!tie) return value.toFixed(1);
  const tenths = Math.floor(value * 10);
  return ((tenths % 2 === 0 ? tenths : tenths + 1) / 10).toFixed(1);
}

const OVER_BUDGET = ' exceeds budget by factor of ';
/** Error message for a rule if the total cost of its schema exceeds the limit and the rule contributes to this cost. */
export const CONTRIBUTED = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

/** Returns true if an error reports that a rule or a schema exceeds its cost limit. */
export function isCostError({ type, detail }: FieldError): boolean {
  return type === 'FieldValueForbidden' && (detail === CONTRIBUTED || detail.includes(OVER_BUDGET));
}

/**
 * Returns the error message for a cost that exceeds its limit. The message states by which factor the cost exceeds the limit, and suggests
 * how to reduce the cost.
 */
export function costText(what: string, cost: bigint, limit: bigint): string {
  const ratio = Number(cost) / Number(limit);
  const factor = ratio > 100 ? 'more than 100x' : ratio < 1.5 ? `${ratio.toFixed(6)}x` : `${oneDecimal(ratio)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what}${OVER_BUDGET}${factor} (${advice})`;
}
