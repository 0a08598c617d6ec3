import type { CancellationToken } from '#go';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT, childPath } from '#kube';
import type { AdmissionOptions } from '../definition/admission/options.ts';
import { multiplyCost, RuleContext } from '../definition/admission/rule-context.ts';
import type { ExpressionExplanation } from '../definition/admission/rule-context.ts';
import { nodeCosts, totalCost, ruleNodes } from '../definition/admission/rule-costs.ts';
import type { RuleNode } from '../definition/admission/rule-costs.ts';
import { validateDefaults } from '../definition/admission/validate-defaults.ts';
import { childAt, schemaPathText } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import { holdsDefaults } from '../schema/schema-props.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { toStructural } from '../structural/from-schema.ts';
import type { RuleCost } from '../verdict.ts';
import { boundsAbove, boundsOfSizes, distinctBounds, resizedNodes, withBounds } from './bounds.ts';
import type { BoundChange } from './bounds.ts';
import { heldCost, rememberingCost, totalOfCosts } from './limited-cost.ts';
import type { ExpressionCost, LimitedCost } from './limited-cost.ts';
import type { SchemaCosts } from './suggest-bounds.ts';

/** One version of a definition as one server sees it: the schema, the context in which its rules compile, and the server's options. */
export interface ServedSchema {
  readonly version: string;
  readonly schema: SchemaProps;
  readonly context: RuleContext;
  readonly options: AdmissionOptions;
}

/** Rule with its cost, and the costs of the rule and of its messageExpression as functions of bounds. */
export interface PricedRule {
  readonly cost: RuleCost;
  /** Composition of the estimate of the rule; undefined if it does not compile. */
  readonly rule: ExpressionExplanation | undefined;
  readonly message: ExpressionExplanation | undefined;
  readonly whole: ExpressionCost;
  readonly ofMessage: ExpressionCost;
}

/** Costs of all rules of one version in one server, as functions of the bounds in the schema. */
export class VersionCosts {
  readonly #served: ServedSchema;
  #rules: readonly PricedRule[] | undefined;
  readonly #known = new Map<string, PricedRule>();
  #total: LimitedCost | undefined;
  /** Context of the changed schema in which rules were compiled last. A verification compiles all rules in the same schema. */
  #changed: { readonly schema: SchemaProps; readonly context: RuleContext } | undefined;

  constructor(served: ServedSchema) {
    this.#served = served;
  }

  get rules(): readonly PricedRule[] {
    return (this.#rules ??= this.#pricedRules());
  }

  /** Costs of all rules and messageExpressions, each with the path of its rule. */
  get expressions(): readonly ExpressionCost[] {
    return this.rules.flatMap(({ whole, ofMessage }) => [whole, ofMessage]);
  }

  /** Cost of all expressions together. */
  get total(): LimitedCost {
    return (this.#total ??= totalOfCosts(this.expressions, { limit: SCHEMA_COST_LIMIT, minor: this.#served.options.minor }));
  }

  /** Returns one rule of a node, or undefined if there is no such rule. The other rules are not priced. */
  rule(steps: SchemaPath, index: number): PricedRule | undefined {
    const { version, schema, context } = this.#served;
    const text = schemaPathText(steps);
    for (const node of ruleNodes(schema, context)) {
      if (schemaPathText(node.steps) !== text) continue;
      const cost = nodeCosts(version, node)[index];
      return cost && this.#knownRule(node, index, cost);
    }
    return undefined;
  }

  #pricedRules(): readonly PricedRule[] {
    const { version, schema, context } = this.#served;
    const rules: PricedRule[] = [];
    for (const node of ruleNodes(schema, context)) {
      const costs = nodeCosts(version, node);
      for (const [index, cost] of costs.entries()) rules.push(this.#knownRule(node, index, cost));
    }
    return rules;
  }

  #knownRule(node: RuleNode, index: number, cost: RuleCost): PricedRule {
    const rule = this.#known.get(cost.path) ?? this.#priced(node, index, cost);
    this.#known.set(cost.path, rule);
    return rule;
  }

  #priced(node: RuleNode, index: number, cost: RuleCost): PricedRule {
    const { schema, options } = this.#served;
    const { steps, context } = node;
    const source = node.schema.rules[index];
    if (source === undefined) throw new Error('a rule with a cost is missing');
    const rule = context.explainRule(source);
    const message = context.explainMessage(source);
    const compiled = context.compile();
    const minSizeCardinality = compiled.ok ? compiled.minSizeCardinality : 0n;
    const resized = resizedNodes(schema, steps);
    const estimate = (explained: ExpressionExplanation | undefined, changes: readonly BoundChange[]): bigint =>
      explained?.estimate((path) => resized(path, changes)) ?? 0n;
    const above = boundsAbove(schema, steps, options.minor);
    const fieldsAbove = new Set(above.map(({ fields }) => fields));
    const cardinality = (changes: readonly BoundChange[]): bigint | undefined => {
      const changed = changes.filter(({ bound }) => fieldsAbove.has(bound.fields));
      return changed.length === 0 ? context.cardinality : this.#cardinality(steps, changed);
    };
    const common = { path: cost.path, limit: EXPRESSION_COST_LIMIT, minor: options.minor };
    const estimated = rememberingCost({
      ...common,
      part: 'rule',
      text: source.rule,
      cost: cost.totalCost,
      bounds: distinctBounds([...above, ...boundsOfSizes(schema, steps, rule?.sized ?? [], options.minor)]),
      costWith: (changes) => multiplyCost(estimate(rule, changes), cardinality(changes) ?? minSizeCardinality),
      recompiled: (changed) => this.#recompiled(changed, steps, index).rule,
    });
    const evaluation = {
      costWith: (changes: readonly BoundChange[]) => estimate(rule, changes),
      recompiled: (changed: SchemaProps) => this.#recompiled(changed, steps, index).evaluation,
    };
    const held = rememberingCost(heldCost(estimated, evaluation));
    const whole = { ...estimated, held };
    const ofMessage = rememberingCost({
      ...common,
      part: 'messageExpression',
      text: source.messageExpression,
      cost: cost.messageMaxCost ?? 0n,
      bounds: distinctBounds(boundsOfSizes(schema, steps, message?.sized ?? [], options.minor)),
      costWith: (changes) => estimate(message, changes),
      recompiled: (changed) => this.#recompiled(changed, steps, index).message,
    });
    return { cost, rule, message, whole, ofMessage };
  }

  /**
   * Returns the highest number of evaluations of a node's rules under changed bounds. Undefined if a list or map around the node is
   * unbounded.
   */
  #cardinality(steps: SchemaPath, changes: readonly BoundChange[]): bigint | undefined {
    const changed = withBounds(this.#served.schema, changes);
    return contextAt(changed, steps, RuleContext.root(changed, this.#served.options.environments)).cardinality;
  }

  /**
   * Compiles one rule in a changed schema. Returns the cost of the rule for a whole object, and the costs of one evaluation of the rule and
   * of its messageExpression. Without a messageExpression, its cost is 0.
   */
  #recompiled(schema: SchemaProps, steps: SchemaPath, index: number): Record<'rule' | 'evaluation' | 'message', bigint> {
    if (this.#changed?.schema !== schema) this.#changed = { schema, context: RuleContext.root(schema, this.#served.options.environments) };
    const context = contextAt(schema, steps, this.#changed.context);
    const compiled = context.compileOne(index);
    const [rule] = compiled.ok ? compiled.rules : [];
    if (!compiled.ok || rule === undefined) throw new Error('a rule that compiled does not compile under other bounds');
    return {
      rule: totalCost(rule, context, compiled.minSizeCardinality),
      evaluation: rule.maxCost,
      message: rule.messageMaxCost ?? 0n,
    };
  }
}

/** Returns the context of the node at the end of a path. `root` is the context of the schema. */
function contextAt(schema: SchemaProps, steps: SchemaPath, root: RuleContext): RuleContext {
  let context = root;
  let node: SchemaProps | undefined = schema;
  for (const step of steps) {
    node = node && childAt(node, step);
    if (node === undefined) throw new Error('the schema of a rule is missing');
    context = context.at(step, node);
  }
  return context;
}

/** Returns the costs of one version in several servers, for a search of bounds with which all of them accept the version. */
export function schemaCosts(served: ServedSchema, servers: readonly VersionCosts[], token: CancellationToken | undefined): SchemaCosts {
  const defaults = new KeptDefaults(served.schema, served.options);
  return {
    schema: served.schema,
    costs: servers.flatMap((costs) => [...costs.expressions, costs.total]),
    keepsDefaults: (changes) => defaults.areKept(changes),
    token,
  };
}

/** Checker for changes of size bounds such as `maxItems` in a schema. It tests if the defaults in the schema stay valid. */
class KeptDefaults {
  readonly #schema: SchemaProps;
  readonly #options: AdmissionOptions;
  #wrongBefore: number | undefined;

  constructor(schema: SchemaProps, options: AdmissionOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  /**
   * Returns true if a change of bounds makes no valid default invalid. If neither a changed node nor an ancestor of it has a default, no
   * default is validated.
   */
  areKept(changes: readonly BoundChange[]): boolean {
    if (!changes.some(({ bound }) => holdsDefault(this.#schema, bound.path))) return true;
    this.#wrongBefore ??= this.#wrongDefaults(this.#schema);
    return this.#wrongDefaults(withBounds(this.#schema, changes)) <= this.#wrongBefore;
  }

  #wrongDefaults(schema: SchemaProps): number {
    if (!holdsDefaults(schema)) return 0;
    const converted = toStructural(schema);
    if (!converted.ok) return 0;
    const defaults = validateDefaults(childPath(undefined, 'openAPIV3Schema'), schema, converted.structural, this.#options);
    return defaults.ok ? defaults.errors.length : 1;
  }
}

/** Returns true if a node at a path or any of its ancestors has a default. */
function holdsDefault(schema: SchemaProps, path: SchemaPath): boolean {
  let node: SchemaProps | undefined = schema;
  for (const step of path) {
    if (node === undefined || node.default !== undefined) break;
    node = childAt(node, step);
  }
  return node?.default !== undefined;
}
