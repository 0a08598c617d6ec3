import { indexPath } from '#kube';
import type { FieldError } from '#kube';
import { checkExtensions } from './check-extensions.ts';
import { holdsRules } from '../../../schema/walk-schema.ts';
import { checkKeywords } from './check-keywords.ts';
import { checkRuleText } from './check-rule-text.ts';
import { RuleCheck } from './check-rules.ts';
import type { NodeDemands } from './node-demands.ts';
import { SchemaCost } from './schema-cost.ts';
import type { SchemaNode } from './schema-node.ts';
import { soundUnder } from './sound-schemas.ts';

/**
 * Errors of a node and all nodes below it, separated into errors of the schema and errors of rules. Errors of rules are reported only if
 * there are no errors of the schema.
 */
interface NodeErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** Result of the validation of a schema: the errors and the cost of its expressions. */
export interface CheckedNodes {
  readonly errors: readonly FieldError[];
  /** Cost of all expressions that the validation compiled. */
  readonly cost: SchemaCost;
}

/**
 * Validates all nodes of a schema, and returns the errors and the cost of the expressions. The children of a node are validated before the
 * rules of the node. Source: apiextensions-apiserver validation.go `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
export function checkNodes(root: SchemaNode, demands: NodeDemands): CheckedNodes {
  const cost = new SchemaCost();
  const ruleCheck = new RuleCheck(cost, demands);
  const sound = soundUnder(demands);
  const { schema, rules } = check(root);
  return { errors: [...schema, ...rules], cost };

  function check(node: SchemaNode): NodeErrors {
    const { schema: props, around } = node;
    const errors: NodeErrors = { schema: [], rules: [] };
    const isSoundItself = sound.nodes.has(props, around);
    if (!isSoundItself) errors.schema.push(...checkKeywords(node, demands));
    const fromKeywords = errors.schema.length;
    for (const child of node.children(sound.trees)) {
      const found = check(child);
      errors.schema.push(...found.schema);
      errors.rules.push(...found.rules);
    }
    if (!isSoundItself) {
      const after = afterChildren(node);
      errors.schema.push(...after);
      if (fromKeywords + after.length === 0) sound.nodes.add(props, around);
    }
    if (props.rules.length > 0 && errors.schema.length === 0 && node.context !== undefined)
      errors.rules.push(...ruleCheck.check(node, node.context));
    if (errors.schema.length === 0 && !node.isRoot && !holdsRules(props)) sound.trees.add(props, around);
    return errors;
  }

  function afterChildren(node: SchemaNode): FieldError[] {
    const at = node.at('x-kubernetes-validations');
    const texts = node.schema.rules.flatMap((rule, i) => checkRuleText(node, rule, indexPath(at, i), demands));
    return [...checkExtensions(node, demands), ...texts];
  }
}
