import { indexPath } from '#kube';
import type { FieldError } from '#kube';
import { checkExtensions } from './check-extensions.ts';
import { checkKeywords } from './check-keywords.ts';
import { checkRuleText } from './check-rule-text.ts';
import { RuleCheck } from './check-rules.ts';
import type { NodeDemands } from './node-demands.ts';
import { SchemaCost } from './schema-cost.ts';
import type { SchemaNode } from './schema-node.ts';

/** Errors of a node and those below: those about the schema itself, and those about rules, which only count while the former are none. */
interface NodeErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** What came of checking a schema. */
export interface CheckedNodes {
  readonly errors: readonly FieldError[];
  /** Of all expressions that were reached. */
  readonly cost: SchemaCost;
}

/**
 * Checks every node of a schema, children before their parent's rules.
 * Source: apiextensions-apiserver validation.go `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
export function checkNodes(root: SchemaNode, demands: NodeDemands): CheckedNodes {
  const cost = new SchemaCost();
  const ruleCheck = new RuleCheck(cost, demands);
  const { schema, rules } = check(root);
  return { errors: [...schema, ...rules], cost };

  function check(node: SchemaNode): NodeErrors {
    const errors: NodeErrors = { schema: checkKeywords(node, demands), rules: [] };
    for (const child of node.children()) {
      const found = check(child);
      errors.schema.push(...found.schema);
      errors.rules.push(...found.rules);
    }
    errors.schema.push(...checkExtensions(node, demands));
    for (const [i, rule] of node.schema.rules.entries())
      errors.schema.push(...checkRuleText(node, rule, indexPath(node.at('x-kubernetes-validations'), i), demands));
    if (node.schema.rules.length > 0 && errors.schema.length === 0 && node.context !== undefined)
      errors.rules.push(...ruleCheck.check(node, node.context));
    return errors;
  }
}
