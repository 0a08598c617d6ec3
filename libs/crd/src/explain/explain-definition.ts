import type { PricedPart } from '#cel';
import { childPath, EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { isCostError } from '../admission/cost-text.ts';
import { createOptions } from '../admission/options.ts';
import type { AdmissionOptions } from '../admission/options.ts';
import { prepareForCreate, withoutDisabledFields } from '../admission/prepare.ts';
import { readLeniently } from '../admission/read-definition.ts';
import { addCost, RuleContext } from '../admission/rule-context.ts';
import { definitionCosts, rulePathText, totalCost } from '../admission/rule-costs.ts';
import { ruleNodes } from '../admission/rule-nodes.ts';
import type { RuleNode } from '../admission/rule-nodes.ts';
import { SchemaContexts } from '../admission/schema-contexts.ts';
import { validateDefaults } from '../admission/validate-defaults.ts';
import { judgeDefinition } from '../judge-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import { toStructural } from '../structural/from-schema.ts';
import type { DefinitionVerdict, RuleCost } from '../verdict.ts';
import { boundsAbove, boundsOfSizes, distinctBounds, withBounds } from './bounds.ts';
import type { Bound } from './bounds.ts';
import { suggestBounds } from './suggest-bounds.ts';
import type { BoundChange, OverLimit, Suggestion } from './suggest-bounds.ts';

/** A rule, what its price is made of, and how it would become less. */
export interface ExplainedRule extends RuleCost {
  /** The parts of the rule with their estimates; undefined where it does not compile. */
  readonly parts: PricedPart | undefined;
  /** The bounds that the total cost depends on: first those on the way to the rule, then those of what it looks at. */
  readonly bounds: readonly Bound[];
  /** What would bring the rule under its limit, each suggestion by itself; undefined for a rule that is under it. */
  readonly suggestions: readonly Suggestion[] | undefined;
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
export function explainDefinition(document: Uint8Array | string, { minor }: { readonly minor: Minor }): DefinitionExplanation {
  const verdict = judgeDefinition(document, undefined, { minor });
  const usable = verdict.accepted || (verdict.errors.length > 0 && verdict.errors.every(isCostError));
  const sent = readLeniently(document);
  if (sent === undefined) return { verdict, usable: false, rules: [], schemas: [] };
  const explanations = explainVersions(prepareForCreate(withoutDisabledFields(sent, minor)), createOptions(minor));
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
  /** The cost in another schema of the same shape. */
  readonly costIn: (schema: SchemaProps) => bigint;
}

class VersionExplainer {
  readonly #schema: SchemaProps;
  readonly #context: RuleContext;
  readonly #options: AdmissionOptions;
  readonly #expressions: Reestimated[] = [];

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

  #rule({ steps, context }: RuleNode, source: ValidationRule, index: number, cost: RuleCost): ExplainedRule {
    const { minor } = this.#options;
    const rule = context.explainRule(source);
    const message = context.explainMessage(source);
    const above = boundsAbove(this.#schema, steps, minor);
    const bounds = distinctBounds([...above, ...boundsOfSizes(this.#schema, steps, rule?.sized ?? [], minor)]);
    const suggestions = this.#suggest({
      bounds,
      cost: cost.totalCost,
      costIn: (schema) => this.#costsIn(schema, steps, index).rule,
    });
    const messageSuggestions = this.#suggest({
      bounds: distinctBounds(boundsOfSizes(this.#schema, steps, message?.sized ?? [], minor)),
      cost: cost.messageMaxCost ?? 0n,
      costIn: (schema) => this.#costsIn(schema, steps, index).message,
    });
    return { ...cost, parts: rule?.parts, bounds, suggestions, messageSuggestions };
  }

  /** The costs of one rule in a changed schema, compiled there. */
  #costsIn(schema: SchemaProps, steps: RuleNode['steps'], index: number): { readonly rule: bigint; readonly message: bigint } {
    let context = RuleContext.root(schema, this.#options.environments);
    let node = schema;
    for (const step of steps) {
      node = childAt(node, step) as SchemaProps;
      context = context.at(step, node);
    }
    const compiled = context.compileOne(index);
    const [rule] = compiled.ok ? compiled.rules : [];
    if (!compiled.ok || rule === undefined) throw new Error('a rule that compiled does not compile under other bounds');
    return { rule: totalCost(rule, context, compiled.minSizeCardinality), message: rule.messageMaxCost ?? 0n };
  }

  #suggest(expression: Reestimated): Suggestion[] | undefined {
    this.#expressions.push(expression);
    const { bounds, cost, costIn } = expression;
    if (cost <= EXPRESSION_COST_LIMIT) return undefined;
    return suggestBounds({
      limit: EXPRESSION_COST_LIMIT,
      bounds,
      estimate: (changes) => costIn(withBounds(this.#schema, changes)),
      isValid: (changes) => this.#isValid(changes),
    });
  }

  /** Only expressions that a changed bound is about are estimated again; the others cost what they cost. */
  #suggestForAll(cost: bigint): Suggestion[] | undefined {
    if (cost <= SCHEMA_COST_LIMIT) return undefined;
    const estimate: OverLimit['estimate'] = (changes) => {
      const changed = withBounds(this.#schema, changes);
      const concerns = ({ bounds }: Reestimated): boolean =>
        bounds.some((bound) => changes.some((change) => sameBound(change.bound, bound)));
      return this.#expressions.reduce(
        (sum, expression) => addCost(sum, concerns(expression) ? expression.costIn(changed) : expression.cost),
        0n,
      );
    };
    const bounds = distinctBounds(this.#expressions.flatMap((expression) => expression.bounds));
    return suggestBounds({ limit: SCHEMA_COST_LIMIT, bounds, estimate, isValid: (changes) => this.#isValid(changes) });
  }

  /** Whether a change makes nothing wrong that was right. Bounds can only make defaults wrong. */
  #isValid(changes: readonly BoundChange[]): boolean {
    return this.#wrongDefaults(changes) <= this.#wrongDefaults([]);
  }

  #wrongDefaults(changes: readonly BoundChange[]): number {
    const schema = withBounds(this.#schema, changes);
    const converted = toStructural(schema);
    if (!converted.ok) return 0;
    const defaults = validateDefaults(childPath(undefined, 'openAPIV3Schema'), schema, converted.structural, this.#options);
    return defaults.ok ? defaults.errors.length : 1;
  }
}

const sameBound = (a: Bound, b: Bound): boolean => a.fields === b.fields && a.keyword === b.keyword;
