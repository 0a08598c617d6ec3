import { childPath, indexPath, internalError, invalid, pathText, structValue } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { ruleStruct } from '../../../keywords/forms/record-forms.ts';
import type { RuleCompilation, RuleContext } from '../rule-context.ts';
import { totalCost } from '../rule-costs.ts';
import type { NodeDemands } from './node-demands.ts';
import type { SchemaCost } from './schema-cost.ts';
import type { SchemaNode, Surroundings } from './schema-node.ts';

/**
 * Validator that compiles the rules of a schema node and reports compile errors and rules that exceed a cost limit. Source: validation.go
 * `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
export class RuleCheck {
  readonly #cost: SchemaCost;
  readonly #demands: NodeDemands;

  constructor(cost: SchemaCost, demands: NodeDemands) {
    this.#cost = cost;
    this.#demands = demands;
  }

  check(node: SchemaNode, context: RuleContext): FieldError[] {
    const at = node.at('x-kubernetes-validations');
    const compiled = context.compile();
    if (!compiled.ok) {
      const prefix = 'internal error: failed to construct type information for x-kubernetes-validations rules: ';
      return [internalError(at, compiled.typeInformation ? prefix + compiled.error : compiled.error)];
    }
    return compiled.rules.flatMap((rule, i) => {
      const cost = totalCost(rule, context, compiled.minSizeCardinality);
      return this.#rule(rule, cost, indexPath(at, i), node.around);
    });
  }

  #rule(rule: RuleCompilation, cost: bigint, path: FieldPath, around: Surroundings): FieldError[] {
    const bad = () => structValue(ruleStruct(rule.rule));
    const rulePath = childPath(path, 'rule');
    const messagePath = childPath(path, 'messageExpression');
    const errors = this.#observe(rulePath, cost, 'estimated rule cost');
    if (rule.error !== undefined) errors.push(invalid(rulePath, bad(), rule.error));
    if (rule.messageError !== undefined) errors.push(invalid(messagePath, bad(), rule.messageError));
    else if (rule.messageMaxCost !== undefined)
      errors.push(...this.#observe(messagePath, rule.messageMaxCost, 'estimated messageExpression cost'));
    if (rule.usesOldSelf) {
      if (around.uncorrelatable === undefined) return errors;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${pathText(around.uncorrelatable)}`;
      errors.push(invalid(rulePath, rule.rule.rule, detail));
    } else if (rule.rule.optionalOldSelf !== undefined) {
      errors.push(invalid(childPath(path, 'optionalOldSelf'), rule.rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
    }
    return errors;
  }

  #observe(path: FieldPath, cost: bigint, what: string): FieldError[] {
    const error = this.#cost.observe(path, cost, what);
    return error === undefined || this.#demands.suppressCost ? [] : [error];
  }
}
