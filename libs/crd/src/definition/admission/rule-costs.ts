import type { Definition } from '../../schema/definition.ts';
import type { RuleCost } from '../../verdict.ts';
import { addCost, multiplyCost } from './rule-context.ts';
import type { RuleCompilation, RuleContext } from './rule-context.ts';
import { ruleNodes } from './rule-nodes.ts';
import type { RuleNode } from './rule-nodes.ts';

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
    // Like Kubernetes, the search finds the first version with the name, even if the name occurs twice.
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
