import {
  indexPath,
  childPath,
  invalid,
  notSupported,
  required,
  internalError,
  pathText,
  structValue,
  EXPRESSION_COST_LIMIT,
  forbidden,
} from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { holdsRules } from '../../../schema/schema-props.ts';
import { checkKeywords, checkMapListItems, mapListKeyErrors } from './check-keywords.ts';
import type { NodeDemands, SchemaNode, Surroundings } from './schema-node.ts';
import { soundUnder } from './schema-node.ts';
import { goTrim } from '#go';
import { resolveFieldPath } from '../../../rules/resolve-field-path.ts';
import type { ValidationRule } from '../../../schema/schema-props.ts';
import { toStructural } from '../../../structural/from-schema.ts';
import { ruleStruct } from '../../../keywords/forms/record-forms.ts';
import type { RuleCompilation, RuleContext } from '../rule-context.ts';
import { totalCost, costText } from '../rule-costs.ts';
import { addCost } from '../rule-context.ts';

/** Expression with a cost of at least 1,000,000 cost units, and its path in the schema. */
interface ExpensiveExpression {
  readonly path: FieldPath;
  /** Cost in cost units, multiplied by the cardinality of the rule. */
  readonly cost: bigint;
}

/** Minimum cost of an expression, in cost units, for the expression to be named in the error about an exceeded total cost. */
const NAMED_FROM = 1_000_000n;
const MAX_NAMED = 4;

/** Sum of the costs of all expressions in a schema. Source: validation.go `TotalCost.ObserveExpressionCost` (1.37). */
class SchemaCost {
  #total = 0n;
  #expensive: ExpensiveExpression[] = [];

  /** Total cost of all expressions, in cost units. */
  get total(): bigint {
    return this.#total;
  }

  /**
   * Expressions with the highest costs, at most four, the most expensive first. Expressions that cost less than 1,000,000 cost units are
   * left out.
   */
  get expensive(): readonly ExpensiveExpression[] {
    return this.#expensive;
  }

  /**
   * Adds the cost of an expression to the total. Returns an error if this cost exceeds the limit of a single expression. `what` describes
   * the cost in the error message.
   */
  observe(path: FieldPath, cost: bigint, what: string): FieldError | undefined {
    this.#total = addCost(this.#total, cost);
    if (cost >= NAMED_FROM) {
      const expensive = [...this.#expensive, { path, cost }].sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
      this.#expensive = expensive.slice(0, MAX_NAMED);
    }
    return cost > EXPRESSION_COST_LIMIT ? forbidden(path, costText(what, cost, EXPRESSION_COST_LIMIT)) : undefined;
  }
}

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

const REASONS: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** Validates the texts of a rule without compiling the rule: `rule`, `message`, `messageExpression`, `reason` and `fieldPath`. */
function checkRuleText({ schema }: SchemaNode, rule: ValidationRule, path: FieldPath, { wording }: NodeDemands): FieldError[] {
  const errors: FieldError[] = [];
  const text = goTrim(rule.rule);
  const message = goTrim(rule.message);
  const at = (name: string): FieldPath => childPath(path, name);
  const complain = (name: string, value: string, complaint: string): void => {
    errors.push(invalid(at(name), value, wording.about(name, complaint)));
  };
  if (text === '') errors.push(required(at('rule'), 'rule is not specified'));
  else if (rule.message !== '' && message === '') complain('message', rule.message, 'must be non-empty if specified');
  else if (hasLineBreak(message)) complain('message', rule.message, 'must not contain line breaks');
  else if (hasLineBreak(text) && message === '') {
    errors.push(required(at('message'), 'message must be specified if rule contains line breaks'));
  }
  if (rule.messageExpression !== '' && goTrim(rule.messageExpression) === '') {
    errors.push(required(at('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) errors.push(notSupported(at('reason'), rule.reason, REASONS));
  if (rule.fieldPath === '') return errors;
  if (goTrim(rule.fieldPath) === '') complain('fieldPath', rule.fieldPath, 'must be non-empty if specified');
  if (hasLineBreak(rule.fieldPath)) complain('fieldPath', rule.fieldPath, 'must not contain line breaks');
  const converted = toStructural(schema);
  if (converted.ok && !resolveFieldPath(rule.fieldPath, converted.structural, 'dotsAndBrackets').ok) {
    complain('fieldPath', rule.fieldPath, 'must be a valid path');
  }
  return errors;
}

/**
 * Validator that compiles the rules of a schema node and reports compile errors and rules that exceed a cost limit. Source: validation.go
 * `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
class RuleCheck {
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

const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

/**
 * Validates the x-kubernetes-* keywords of a schema node that describe the structure of values. Source: validation.go
 * `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
function checkExtensions(node: SchemaNode, demands: NodeDemands): FieldError[] {
  const { schema } = node;
  const errors: FieldError[] = [];
  if (schema.preserveUnknownFields === false)
    errors.push(invalid(node.at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  errors.push(...checkMapType(node), ...checkListType(node, demands));
  if (schema.listMapKeys.length > 0 && schema.listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = node.at('x-kubernetes-list-type');
    errors.push(schema.listType === undefined ? required(place, detail) : invalid(place, schema.listType, detail));
  }
  if (schema.listType === 'map') errors.push(...checkMapListItems(node));
  if (demands.requireMapListKeys) errors.push(...mapListKeyErrors(schema, node.path));
  return errors;
}

function checkMapType(node: SchemaNode): FieldError[] {
  const { mapType } = node.schema;
  if (mapType === undefined) return [];
  const errors = wantType(node, 'object', 'must be object if x-kubernetes-map-type is specified');
  if (!MAP_TYPES.includes(mapType)) errors.push(notSupported(node.at('x-kubernetes-map-type'), mapType, MAP_TYPES));
  return errors;
}

function checkListType(node: SchemaNode, demands: NodeDemands): FieldError[] {
  const { type, listType } = node.schema;
  if (listType === undefined) return [];
  const errors =
    type === 'array' ? checkAtomicSet(node, demands) : wantType(node, 'array', 'must be array if x-kubernetes-list-type is specified');
  if (!LIST_TYPES.includes(listType)) errors.push(notSupported(node.at('x-kubernetes-list-type'), listType, LIST_TYPES));
  return errors;
}

function wantType(node: SchemaNode, wanted: string, detail: string): FieldError[] {
  const { type } = node.schema;
  if (type === wanted) return [];
  return [type === '' ? required(node.at('type'), detail) : invalid(node.at('type'), type, detail)];
}

/**
 * Reports sets whose items are not atomic. As in upstream, the error always shows the list type of the items as the bad value, even if
 * their map type is wrong.
 */
function checkAtomicSet(node: SchemaNode, { requireAtomicSets }: NodeDemands): FieldError[] {
  const items = node.schema.items?.schema;
  if (!requireAtomicSets || node.schema.listType !== 'set' || items === undefined) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const bad = structValue(items.listType ?? null);
  if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic')
    return [invalid(node.at('items', 'x-kubernetes-list-type'), bad, detail)];
  return items.type === 'object' && items.mapType !== 'atomic' ? [invalid(node.at('items', 'x-kubernetes-map-type'), bad, detail)] : [];
}
