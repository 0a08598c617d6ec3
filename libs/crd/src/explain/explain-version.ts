import type { PricedPart } from '#cel';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT, childPath } from '#kube';
import type { AdmissionOptions } from '../definition/admission/options.ts';
import { multiplyCost, RuleContext } from '../definition/admission/rule-context.ts';
import type { ExpressionExplanation } from '../definition/admission/rule-context.ts';
import { nodeCosts, totalCost } from '../definition/admission/rule-costs.ts';
import { ruleNodes } from '../definition/admission/rule-nodes.ts';
import type { RuleNode } from '../definition/admission/rule-nodes.ts';
import { childAt, schemaPathText } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import type { RuleCost } from '../verdict.ts';
import { boundsAbove, boundsOfSizes, distinctBounds, resizedNode, withBounds } from './bounds.ts';
import type { SchemaBound, BoundChange, Suggestion } from './bounds.ts';
import { suggestBounds } from './suggest-bounds.ts';
import { suggestForSchema } from './suggest-for-schema.ts';
import type { Reestimated } from './suggest-for-schema.ts';
import { validateDefaults } from '../definition/admission/validate-defaults.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import { holdsDefaults } from '../schema/walk-schema.ts';
import { toStructural } from '../structural/from-schema.ts';

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

/** Largest cost, because costs are uint64 and saturate at this value. */
const SATURATED = 2n ** 64n - 1n;
/** Size that exceeds every size that an estimate assumes for an unbounded value. */
const HUGE = 10n ** 9n;

/**
 * Returns the bounds on which a cost depends, such as `maxItems` of a list. The cost depends on a bound if it changes when the bound
 * becomes larger or smaller.
 *
 * Bounds of the lists and maps around a rule are always returned. Their product multiplies the rule's cost as soon as all of them have a
 * value.
 */
function drivingBounds({ bounds, cost, costWith }: Pick<Reestimated, 'bounds' | 'cost' | 'costWith'>): readonly SchemaBound[] {
  return bounds.filter((bound) => {
    if (bound.drives === 'evaluations') return true;
    if (cost >= SATURATED) return drivesSmall(bound, bounds, costWith);
    return sizesBeside(bound).some((value) => costWith([{ bound, value }]) !== cost);
  });
}

function sizesBeside({ value }: SchemaBound): readonly bigint[] {
  return value === undefined ? [1n, HUGE] : [value * 10n + 1n, value / 10n];
}

/**
 * Returns true if a cost depends on a bound while all other bounds have the value 1. This test is necessary because a saturated cost does
 * not change.
 */
function drivesSmall(bound: SchemaBound, all: readonly SchemaBound[], costWith: Reestimated['costWith']): boolean {
  const costAt = (size: bigint): bigint => costWith(all.map((one) => ({ bound: one, value: one === bound ? size : 1n })));
  return costAt(1n) !== costAt(100n);
}

/** Rule with its cost, the costs of its parts, and suggestions of changes that would lower the cost. */
export interface RuleExplanation extends RuleCost {
  /** Parts of the rule with their estimates; undefined if the rule does not compile. */
  readonly parts: PricedPart | undefined;
  /**
   * Bounds on which the total cost depends. Bounds of lists and maps around the rule come first, then bounds of values that the rule reads.
   */
  readonly bounds: readonly SchemaBound[];
  /** Alternative suggestions, each of which brings the rule under its cost limit; undefined if the rule is under its limit. */
  readonly suggestions: readonly Suggestion[] | undefined;
  /** Parts of the rule's messageExpression with their estimates; undefined if there is none or it does not compile. */
  readonly messageParts: PricedPart | undefined;
  /**
   * Bounds on which the cost of the rule's messageExpression depends. The messageExpression is estimated for one evaluation, regardless of
   * how often the rule is evaluated.
   */
  readonly messageBounds: readonly SchemaBound[];
  /**
   * Alternative suggestions, each of which brings the rule's messageExpression under its cost limit; undefined if it is under the limit.
   */
  readonly messageSuggestions: readonly Suggestion[] | undefined;
}

/** Expression whose cost can be estimated again under changed bounds, with the path of its rule. */
type PricedExpression = Reestimated & { readonly path: string };

/** Total cost of all rules in a version's schema, with suggestions. */
export interface ExplainedSchema {
  readonly version: string;
  readonly cost: bigint;
  /**
   * Alternative suggestions, each of which brings the total cost under the limit of a schema; undefined if the total cost is under the
   * limit.
   */
  readonly suggestions: readonly Suggestion[] | undefined;
}

/** Component that explains the costs of all rules in one version of a definition, and suggests bounds that reduce them. */
export class VersionExplainer {
  readonly #schema: SchemaProps;
  readonly #context: RuleContext;
  readonly #options: AdmissionOptions;
  readonly #expressions: PricedExpression[] = [];
  readonly #defaults: KeptDefaults;
  constructor(schema: SchemaProps, context: RuleContext, options: AdmissionOptions) {
    this.#schema = schema;
    this.#context = context;
    this.#options = options;
    this.#defaults = new KeptDefaults(schema, options);
  }

  explain(
    version: string,
    cost: bigint,
    costs: readonly RuleCost[],
  ): { readonly rules: RuleExplanation[]; readonly schema: ExplainedSchema } {
    const byPath = new Map(costs.map((rule) => [rule.path, rule]));
    const rules: RuleExplanation[] = [];
    for (const node of ruleNodes(this.#schema, this.#context))
      node.schema.rules.forEach((source, i) => {
        rules.push(this.#rule(node, source, i, byPath.get(node.rulePaths[i] as string) as RuleCost));
      });
    return { rules, schema: { version, cost, suggestions: cost > SCHEMA_COST_LIMIT ? this.#suggestForAll() : undefined } };
  }

  /** Expressions explained so far: rules and messageExpressions, each with the path of its rule. */
  get prices(): readonly PricedExpression[] {
    return this.#expressions;
  }

  /** Returns the explanation of a single rule, or undefined if there is no such rule. */
  explainRule(version: string, steps: RuleNode['steps'], index: number): RuleExplanation | undefined {
    for (const node of ruleNodes(this.#schema, this.#context)) {
      const source = node.schema.rules[index];
      if (source === undefined || schemaPathText(node.steps) !== schemaPathText(steps)) continue;
      return this.#rule(node, source, index, nodeCosts(version, node)[index] as RuleCost);
    }
    return undefined;
  }

  #rule(node: RuleNode, source: ValidationRule, index: number, cost: RuleCost): RuleExplanation {
    const { steps, context } = node;
    const { minor } = this.#options;
    const rule = context.explainRule(source);
    const message = context.explainMessage(source);
    const above = boundsAbove(this.#schema, steps, minor);
    const bounds = distinctBounds([...above, ...boundsOfSizes(this.#schema, steps, rule?.sized ?? [], minor)]);
    const compiled = context.compile();
    const minSizeCardinality = compiled.ok ? compiled.minSizeCardinality : 0n;
    const whole: PricedExpression = {
      path: cost.path,
      bounds,
      cost: cost.totalCost,
      costWith: (changes) => multiplyCost(this.#estimate(rule, node, changes), this.#cardinality(node, changes) ?? minSizeCardinality),
      recompiled: (schema) => this.#recompiled(schema, steps, index).rule,
    };
    const messageBounds = distinctBounds(boundsOfSizes(this.#schema, steps, message?.sized ?? [], minor));
    const ofMessage: PricedExpression = {
      path: cost.path,
      bounds: messageBounds,
      cost: cost.messageMaxCost ?? 0n,
      costWith: (changes) => this.#estimate(message, node, changes),
      recompiled: (schema) => this.#recompiled(schema, steps, index).message,
    };
    return {
      ...cost,
      parts: rule?.parts,
      bounds: drivingBounds(whole),
      suggestions: this.#suggest(whole),
      messageParts: message?.parts,
      messageBounds: drivingBounds(ofMessage),
      messageSuggestions: this.#suggest(ofMessage),
    };
  }

  #estimate(explanation: ExpressionExplanation | undefined, { steps }: RuleNode, changes: readonly BoundChange[]): bigint {
    return explanation?.estimate((path) => resizedNode(this.#schema, steps, path, changes)) ?? 0n;
  }

  /**
   * Returns the highest number of evaluations of a node's rules under changed bounds. Undefined if a list or map around the node is
   * unbounded.
   */
  #cardinality({ steps }: RuleNode, changes: readonly BoundChange[]): bigint | undefined {
    return contextAt(withBounds(this.#schema, changes), steps, this.#options).cardinality;
  }

  /**
   * Compiles one rule in a changed schema. Returns the total cost of the rule, and the cost of one evaluation of its messageExpression, or
   * 0 if it has none.
   */
  #recompiled(schema: SchemaProps, steps: RuleNode['steps'], index: number): { readonly rule: bigint; readonly message: bigint } {
    const context = contextAt(schema, steps, this.#options);
    const compiled = context.compileOne(index);
    const [rule] = compiled.ok ? compiled.rules : [];
    if (!compiled.ok || rule === undefined) throw new Error('a rule that compiled does not compile under other bounds');
    return { rule: totalCost(rule, context, compiled.minSizeCardinality), message: rule.messageMaxCost ?? 0n };
  }

  #suggest(expression: PricedExpression): Suggestion[] | undefined {
    this.#expressions.push(expression);
    if (expression.cost <= EXPRESSION_COST_LIMIT) return undefined;
    return suggestBounds({
      limit: EXPRESSION_COST_LIMIT,
      bounds: expression.bounds,
      estimate: expression.costWith,
      isValid: (changes) =>
        expression.recompiled(withBounds(this.#schema, changes)) <= EXPRESSION_COST_LIMIT && this.#defaults.areKept(changes),
    });
  }

  #suggestForAll(): Suggestion[] {
    const keepsDefaults = (changes: readonly BoundChange[]): boolean => this.#defaults.areKept(changes);
    return suggestForSchema(this.#expressions, { schema: this.#schema, keepsDefaults });
  }
}

/** Returns the context of the node at the end of a path. */
function contextAt(schema: SchemaProps, steps: RuleNode['steps'], options: AdmissionOptions): RuleContext {
  let context = RuleContext.root(schema, options.environments);
  let node = schema;
  for (const step of steps) {
    node = childAt(node, step) as SchemaProps;
    context = context.at(step, node);
  }
  return context;
}
