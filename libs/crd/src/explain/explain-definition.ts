import type { PricedPart } from '#cel';
import { childPath, EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Server } from '#kube';
import { isCostError } from '../admission/cost-text.ts';
import { createOptions } from '../admission/options.ts';
import type { AdmissionOptions } from '../admission/options.ts';
import { prepareForCreate, withoutDisabledFields } from '../admission/prepare.ts';
import { readLeniently } from '../admission/read-definition.ts';
import { addCost, multiplyCost, RuleContext } from '../admission/rule-context.ts';
import type { ExpressionExplanation, KnownNodes } from '../admission/rule-context.ts';
import { definitionCosts, rulePathText, totalCost } from '../admission/rule-costs.ts';
import { ruleNodes } from '../admission/rule-nodes.ts';
import type { RuleNode } from '../admission/rule-nodes.ts';
import { SchemaContexts } from '../admission/schema-contexts.ts';
import { validateDefaults } from '../admission/validate-defaults.ts';
import { judgeDefinition } from '../judge-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import { schemaHas } from '../schema/walk-schema.ts';
import { toStructural } from '../structural/from-schema.ts';
import type { DefinitionVerdict, RuleCost } from '../verdict.ts';
import { boundsAbove, boundsOfSizes, distinctBounds, resizedNode, withBounds } from './bounds.ts';
import type { Bound, BoundChange } from './bounds.ts';
import { suggestBounds } from './suggest-bounds.ts';
import type { OverLimit, Suggestion } from './suggest-bounds.ts';

/** A rule, what its price is made of, and how it would become less. */
export interface ExplainedRule extends RuleCost {
  /** The parts of the rule with their estimates; undefined where it does not compile. */
  readonly parts: PricedPart | undefined;
  /** The bounds that the total cost depends on: first those on the way to the rule, then those of what it looks at. */
  readonly bounds: readonly Bound[];
  /** What would bring the rule under its limit, each suggestion by itself; undefined for a rule that is under it. */
  readonly suggestions: readonly Suggestion[] | undefined;
  /** As `parts`, for the rule's messageExpression. */
  readonly messageParts: PricedPart | undefined;
  /** As `bounds`, for the rule's messageExpression, which is estimated for one evaluation, however often the rule runs. */
  readonly messageBounds: readonly Bound[];
  /** As `suggestions`, for the rule's messageExpression. */
  readonly messageSuggestions: readonly Suggestion[] | undefined;
}

/** The rules of a version together. */
export interface ExplainedSchema {
  readonly version: string;
  readonly cost: bigint;
  /** What would bring the sum under its limit, each suggestion by itself; undefined for a schema that is under it. */
  readonly suggestions: readonly Suggestion[] | undefined;
}

/** A definition judged, with the price of its rules taken apart. */
export interface DefinitionExplanation {
  readonly verdict: DefinitionVerdict;
  /** Whether objects can be judged by it: it is accepted, or refused for nothing but what its rules cost. */
  readonly usable: boolean;
  readonly rules: readonly ExplainedRule[];
  readonly schemas: readonly ExplainedSchema[];
}

/** PLOT: judges a definition as its creation, then explains the estimate of each rule and suggests bounds for what is too dear. */
export function explainDefinition(document: Uint8Array | string, server: Server): DefinitionExplanation {
  const verdict = judgeDefinition(document, undefined, server);
  const usable = verdict.accepted || (verdict.errors.length > 0 && verdict.errors.every(isCostError));
  const sent = readLeniently(document);
  if (sent === undefined) return { verdict, usable: false, rules: [], schemas: [] };
  const explanations = explainVersions(prepareForCreate(withoutDisabledFields(sent, undefined, server.gates)), createOptions(server));
  return { verdict, usable, rules: explanations.flatMap(({ rules }) => rules), schemas: explanations.map(({ schema }) => schema) };
}

function explainVersions(definition: Definition, options: AdmissionOptions) {
  const contexts = new SchemaContexts(options).ofVersions(definition);
  const { rules, schemaCost } = definitionCosts(definition, contexts);
  return [...schemaCost].map(([version, cost]) => {
    const context = contexts.get(version) as RuleContext;
    const schema = definition.spec.versions.find(({ name }) => name === version)?.schema as SchemaProps;
    const own = rules.filter((rule) => rule.version === version);
    return new VersionExplainer(schema, context, options).explain(version, cost, own);
  });
}

/** An expression whose cost can be estimated again under other bounds. */
interface Reestimated {
  readonly bounds: readonly Bound[];
  readonly cost: bigint;
  /** The cost under changed bounds, by the estimator alone. */
  readonly costWith: (changes: readonly BoundChange[]) => bigint;
  /** The cost in a schema with other bounds, compiled there from the text: the proof of a suggestion. */
  readonly recompiled: (schema: SchemaProps) => bigint;
}

class VersionExplainer {
  readonly #schema: SchemaProps;
  readonly #context: RuleContext;
  readonly #options: AdmissionOptions;
  readonly #expressions: Reestimated[] = [];
  #wrongBefore: number | undefined;
  /** Changed schemas share nearly all nodes with each other. */
  readonly #known: KnownNodes = { conversions: new WeakMap(), declarations: new WeakMap() };

  constructor(schema: SchemaProps, context: RuleContext, options: AdmissionOptions) {
    this.#schema = schema;
    this.#context = context;
    this.#options = options;
  }

  explain(
    version: string,
    cost: bigint,
    costs: readonly RuleCost[],
  ): { readonly rules: ExplainedRule[]; readonly schema: ExplainedSchema } {
    const byPath = new Map(costs.map((rule) => [rule.path, rule]));
    const rules: ExplainedRule[] = [];
    for (const node of ruleNodes(this.#schema, this.#context))
      node.schema.rules.forEach((source, i) => {
        rules.push(this.#rule(node, source, i, byPath.get(rulePathText(node.steps, i)) as RuleCost));
      });
    return { rules, schema: { version, cost, suggestions: this.#suggestForAll(cost) } };
  }

  #rule(node: RuleNode, source: ValidationRule, index: number, cost: RuleCost): ExplainedRule {
    const { steps, context } = node;
    const { minor } = this.#options;
    const rule = context.explainRule(source);
    const message = context.explainMessage(source);
    const above = boundsAbove(this.#schema, steps, minor);
    const bounds = distinctBounds([...above, ...boundsOfSizes(this.#schema, steps, rule?.sized ?? [], minor)]);
    const compiled = context.compile();
    const minSizeCardinality = compiled.ok ? compiled.minSizeCardinality : 0n;
    const suggestions = this.#suggest({
      bounds,
      cost: cost.totalCost,
      costWith: (changes) => multiplyCost(this.#estimate(rule, node, changes), this.#cardinality(node, changes) ?? minSizeCardinality),
      recompiled: (schema) => this.#recompiled(schema, steps, index).rule,
    });
    const messageBounds = distinctBounds(boundsOfSizes(this.#schema, steps, message?.sized ?? [], minor));
    const messageSuggestions = this.#suggest({
      bounds: messageBounds,
      cost: cost.messageMaxCost ?? 0n,
      costWith: (changes) => this.#estimate(message, node, changes),
      recompiled: (schema) => this.#recompiled(schema, steps, index).message,
    });
    return { ...cost, parts: rule?.parts, bounds, suggestions, messageParts: message?.parts, messageBounds, messageSuggestions };
  }

  #estimate(explanation: ExpressionExplanation | undefined, { steps }: RuleNode, changes: readonly BoundChange[]): bigint {
    return explanation?.estimate((path) => resizedNode(this.#schema, steps, path, changes)) ?? 0n;
  }

  /** How often rules of a node are evaluated at most, under changed bounds. */
  #cardinality({ steps }: RuleNode, changes: readonly BoundChange[]): bigint | undefined {
    return contextAt(withBounds(this.#schema, changes), steps, this.#options, this.#known).cardinality;
  }

  /** The costs of one rule in a changed schema, compiled there. */
  #recompiled(schema: SchemaProps, steps: RuleNode['steps'], index: number): { readonly rule: bigint; readonly message: bigint } {
    const context = contextAt(schema, steps, this.#options, this.#known);
    const compiled = context.compileOne(index);
    const [rule] = compiled.ok ? compiled.rules : [];
    if (!compiled.ok || rule === undefined) throw new Error('a rule that compiled does not compile under other bounds');
    return { rule: totalCost(rule, context, compiled.minSizeCardinality), message: rule.messageMaxCost ?? 0n };
  }

  #suggest(expression: Reestimated): Suggestion[] | undefined {
    this.#expressions.push(expression);
    if (expression.cost <= EXPRESSION_COST_LIMIT) return undefined;
    return suggestBounds({
      limit: EXPRESSION_COST_LIMIT,
      bounds: expression.bounds,
      estimate: expression.costWith,
      isValid: (changes) =>
        expression.recompiled(withBounds(this.#schema, changes)) <= EXPRESSION_COST_LIMIT && this.#keepsDefaults(changes),
    });
  }

  /** Only expressions that a changed bound is about are estimated again; the others cost what they cost. */
  #suggestForAll(cost: bigint): Suggestion[] | undefined {
    if (cost <= SCHEMA_COST_LIMIT) return undefined;
    const about = new Map<string, Set<number>>();
    for (const [number, { bounds }] of this.#expressions.entries())
      for (const { fields } of bounds) about.set(fields, (about.get(fields) ?? new Set()).add(number));
    const known = new Map<string, bigint>();
    const costWith = (number: number, changes: readonly BoundChange[]): bigint => {
      const own = changes.filter(({ bound }) => about.get(bound.fields)?.has(number));
      const key = `${number} ${own.map(({ bound, value }) => `${bound.fields}=${value}`).join(' ')}`;
      const found = known.get(key) ?? (this.#expressions[number] as Reestimated).costWith(own);
      known.set(key, found);
      return found;
    };
    const exactSum = this.#expressions.reduce((sum, one) => sum + one.cost, 0n);
    const sumWith = (changes: readonly BoundChange[], costOf: (number: number) => bigint): bigint => {
      const changed = new Set(changes.flatMap(({ bound }) => [...(about.get(bound.fields) ?? [])]));
      return [...changed].reduce((sum, number) => sum - (this.#expressions[number] as Reestimated).cost + costOf(number), exactSum);
    };
    const estimate: OverLimit['estimate'] = (changes) =>
      addCost(
        0n,
        sumWith(changes, (number) => costWith(number, changes)),
      );
    const recompiled = (changes: readonly BoundChange[]): bigint => {
      const schema = withBounds(this.#schema, changes);
      return sumWith(changes, (number) => (this.#expressions[number] as Reestimated).recompiled(schema));
    };
    const dearestFirst = this.#expressions.toSorted((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
    const bounds = distinctBounds(dearestFirst.flatMap((expression) => expression.bounds));
    return suggestBounds({
      limit: SCHEMA_COST_LIMIT,
      bounds,
      estimate,
      isValid: (changes) => recompiled(changes) <= SCHEMA_COST_LIMIT && this.#keepsDefaults(changes),
    });
  }

  /** Whether a change makes no default wrong that was right. Only defaults of the places themselves, and above them, are about their values. */
  #keepsDefaults(changes: readonly BoundChange[]): boolean {
    if (!changes.some(({ bound }) => holdsDefault(this.#schema, bound.path))) return true;
    this.#wrongBefore ??= this.#wrongDefaults(this.#schema);
    return this.#wrongDefaults(withBounds(this.#schema, changes)) <= this.#wrongBefore;
  }

  #wrongDefaults(schema: SchemaProps): number {
    if (!schemaHas(schema, (node) => node.default !== undefined)) return 0;
    const converted = toStructural(schema, this.#known.conversions);
    if (!converted.ok) return 0;
    const defaults = validateDefaults(childPath(undefined, 'openAPIV3Schema'), schema, converted.structural, this.#options);
    return defaults.ok ? defaults.errors.length : 1;
  }
}

/** Whether a node on the way to another, or that one, has a default. */
function holdsDefault(schema: SchemaProps, path: SchemaPath): boolean {
  let node: SchemaProps | undefined = schema;
  for (const step of path) {
    if (node === undefined || node.default !== undefined) break;
    node = childAt(node, step);
  }
  return node?.default !== undefined;
}

/** The context of the node at the end of a path. */
function contextAt(schema: SchemaProps, steps: RuleNode['steps'], options: AdmissionOptions, known: KnownNodes): RuleContext {
  let context = RuleContext.root(schema, options.environments, known);
  let node = schema;
  for (const step of steps) {
    node = childAt(node, step) as SchemaProps;
    context = context.at(step, node);
  }
  return context;
}
