import { sortedKeys } from '#kube';
import type { Definition } from '../schema/definition.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { RuleCost } from '../verdict.ts';
import { addCost, multiplyCost } from './rule-context.ts';
import type { RuleCompilation, RuleContext } from './rule-context.ts';

/** The static costs of a definition: of each rule, and summed per version. */
export interface DefinitionCosts {
  readonly rules: readonly RuleCost[];
  readonly schemaCost: ReadonlyMap<string, bigint>;
}

/** The cost of a rule over a whole object. */
export function totalCost(rule: RuleCompilation, context: RuleContext, minSizeCardinality: bigint): bigint {
  return multiplyCost(rule.maxCost, context.cardinality ?? minSizeCardinality);
}

/** Lists every rule with its cost, also those that validation skips because of other errors. `contexts` are the versions' roots. */
export function definitionCosts(definition: Definition, contexts: ReadonlyMap<string, RuleContext>): DefinitionCosts {
  const rules: RuleCost[] = [];
  const schemaCost = new Map<string, bigint>();
  const { versions } = definition.spec;
  for (const { name } of versions) {
    // A name that stands twice means the first of that name, as upstream looks schemas up.
    const schema = versions.find((version) => version.name === name)?.schema;
    const context = contexts.get(name);
    if (schema === undefined || context === undefined) continue;
    const walk = new CostWalk(name);
    walk.node(schema, '', context);
    rules.push(...walk.rules);
    schemaCost.set(name, walk.sum);
  }
  return { rules, schemaCost };
}

class CostWalk {
  readonly rules: RuleCost[] = [];
  sum = 0n;
  private readonly version: string;

  constructor(version: string) {
    this.version = version;
  }

  node(schema: SchemaProps, path: string, context: RuleContext): void {
    const child = (name: string): string => (path === '' ? name : `${path}.${name}`);
    if (schema.rules.length > 0) this.list(schema, child('x-kubernetes-validations'), context);
    const additional = schema.additionalProperties?.schema;
    if (additional !== undefined) this.node(additional, child('additionalProperties'), context.additionalProperties(additional));
    for (const key of sortedKeys(Object.fromEntries(schema.properties ?? []))) {
      const property = schema.properties?.get(key) as SchemaProps;
      this.node(property, `${child('properties')}[${key}]`, context.property(key, property));
    }
    const items = schema.items?.schema;
    if (items !== undefined) this.node(items, child('items'), context.items(items));
  }

  private list(schema: SchemaProps, path: string, context: RuleContext): void {
    const compiled = context.compile();
    const { version } = this;
    const { cardinality } = context;
    schema.rules.forEach((source, i) => {
      const head = { version, path: `${path}[${i}]`, rule: source.rule, cardinality };
      if (!compiled.ok) {
        this.rules.push({ ...head, maxCost: 0n, totalCost: 0n, usesOldSelf: false, error: compiled.error });
        return;
      }
      const rule = compiled.rules[i] as RuleCompilation;
      const total = totalCost(rule, context, compiled.minSizeCardinality);
      this.sum = addCost(this.sum, total);
      if (rule.messageMaxCost !== undefined) this.sum = addCost(this.sum, rule.messageMaxCost);
      this.rules.push({
        ...head,
        maxCost: rule.maxCost,
        totalCost: total,
        usesOldSelf: rule.usesOldSelf,
        ...(rule.messageMaxCost === undefined ? {} : { messageMaxCost: rule.messageMaxCost }),
        ...(rule.error === undefined ? {} : { error: rule.error }),
        ...(rule.messageError === undefined ? {} : { messageError: rule.messageError }),
      });
    });
  }
}
