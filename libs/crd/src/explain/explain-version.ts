import type { CostedPart } from '#cel';
import type { CancellationToken } from '#go';
import { USUAL_CHOICE } from '#kube';
import type { BoundChoice } from '#kube';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { RuleCost } from '../verdict.ts';
import type { BoundChange, SchemaBound, Suggestion } from './bounds.ts';
import type { ExpressionCost, LimitedCost } from './limited-cost.ts';
import { alternativeBounds, changedFields, chooseBounds } from './suggest-bounds.ts';
import type { ChosenBounds, SchemaCosts } from './suggest-bounds.ts';
import { schemaCosts, VersionCosts } from './version-costs.ts';
import type { PricedRule, ServedSchema } from './version-costs.ts';

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
function drivingBounds({ bounds, cost, costWith }: LimitedCost): readonly SchemaBound[] {
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
function drivesSmall(bound: SchemaBound, all: readonly SchemaBound[], costWith: LimitedCost['costWith']): boolean {
  const costAt = (size: bigint): bigint => costWith(all.map((one) => ({ bound: one, value: one === bound ? size : 1n })));
  return costAt(1n) !== costAt(100n);
}

/** Rule with its cost, the costs of its parts, and suggestions of changes that would lower the cost. */
export interface RuleExplanation extends RuleCost {
  /** Parts of the rule with their estimates; undefined if the rule does not compile. */
  readonly parts: CostedPart | undefined;
  /**
   * Bounds on which the total cost depends. Bounds of lists and maps around the rule come first, then bounds of values that the rule reads.
   */
  readonly bounds: readonly SchemaBound[];
  /**
   * Alternative suggestions, each of which brings the rule under its cost limit; undefined if the rule is under its limit. The first one
   * belongs to the bounds that {@link VersionExplainer.chosen} returns.
   */
  readonly suggestions: readonly Suggestion[] | undefined;
  /** Parts of the rule's messageExpression with their estimates; undefined if there is none or it does not compile. */
  readonly messageParts: CostedPart | undefined;
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

/** Total cost of all rules in a version's schema, with suggestions. */
export interface ExplainedSchema {
  readonly version: string;
  readonly cost: bigint;
  /**
   * Alternative suggestions, each of which brings the total cost under the limit of a schema; undefined if the total cost is under the
   * limit. The first one consists of all chosen bounds.
   */
  readonly suggestions: readonly Suggestion[] | undefined;
  /** Bounds with which all servers accept the costs of the version. */
  readonly chosen: ChosenBounds;
  /** Bounds that suffice if existing ones are lowered, too; undefined if the chosen bounds suffice or if no bounds do. */
  readonly tightening: readonly BoundChange[] | undefined;
}

/** Maximum number of costs of a version with alternatives to the chosen bounds. A hostile definition has thousands of too expensive rules. */
const WITH_ALTERNATIVES = 20;

/** Component that explains the costs of all rules in one version of a definition, and suggests bounds that reduce them. */
export class VersionExplainer {
  readonly #served: ServedSchema;
  readonly #costs: VersionCosts;
  readonly #others: readonly ServedSchema[];
  readonly #token: CancellationToken | undefined;
  #all: SchemaCosts | undefined;
  /** Number of costs for which alternatives to the chosen bounds were searched. */
  #withAlternatives = 0;
  readonly #chosen = new Map<string, ChosenBounds>();

  /**
   * @param served version as the explaining server sees it
   * @param others the same version as other servers see it that must accept the version too
   */
  constructor(served: ServedSchema, others: readonly ServedSchema[] = [], token?: CancellationToken) {
    this.#served = served;
    this.#costs = new VersionCosts(served);
    this.#others = others;
    this.#token = token;
  }

  /** Returns the explanations of all rules and of their total cost. */
  explain(): { readonly rules: RuleExplanation[]; readonly schema: ExplainedSchema } {
    const { version } = this.#served;
    const { cost } = this.#costs.total;
    const rules = this.#costs.rules.map((rule) => this.#explained(rule));
    return {
      rules,
      schema: { version, cost, suggestions: this.#suggestions(this.#costs.total), chosen: this.chosen(), tightening: this.tightening() },
    };
  }

  /** Costs of all rules and messageExpressions, each with the path of its rule. */
  get prices(): readonly ExpressionCost[] {
    return this.#costs.expressions;
  }

  /** Returns the explanation of a single rule, or undefined if there is no such rule. */
  explainRule(steps: SchemaPath, index: number): RuleExplanation | undefined {
    const found = this.#costs.rule(steps, index);
    return found && this.#explained(found);
  }

  /** Returns the bounds with which all servers accept the costs of the version. Every place that suggests bounds suggests these. */
  chosen(choice: BoundChoice = USUAL_CHOICE): ChosenBounds {
    const key = `${choice.changes} ${choice.values}`;
    const found = this.#chosen.get(key) ?? chooseBounds(this.#allCosts(), choice);
    this.#chosen.set(key, found);
    return found;
  }

  /** Returns bounds that suffice if existing ones are lowered, too. Returns undefined if the chosen bounds suffice, or if no bounds do. */
  tightening(choice: BoundChoice = USUAL_CHOICE): readonly BoundChange[] | undefined {
    if (this.chosen(choice).kind !== 'none' || choice.changes === 'all') return undefined;
    const found = this.chosen({ ...choice, changes: 'all' });
    return found.kind === 'found' ? found.changes : undefined;
  }

  #allCosts(): SchemaCosts {
    const servers = [this.#costs, ...this.#others.map((served) => new VersionCosts(served))];
    return (this.#all ??= schemaCosts(this.#served, servers, this.#token));
  }

  #explained({ cost, rule, message, whole, ofMessage }: PricedRule): RuleExplanation {
    return {
      ...cost,
      parts: rule?.parts,
      bounds: drivingBounds(whole),
      suggestions: this.#suggestions(whole),
      messageParts: message?.parts,
      messageBounds: drivingBounds(ofMessage),
      messageSuggestions: this.#suggestions(ofMessage),
    };
  }

  /** Returns suggestions for a cost; undefined if it is within its limit. The chosen bounds on which the cost depends come first. */
  #suggestions(cost: LimitedCost): Suggestion[] | undefined {
    if (cost.cost <= cost.limit) return undefined;
    const chosen = this.chosen();
    if (chosen.kind !== 'found') return alternativeBounds(this.#allCosts(), cost, USUAL_CHOICE);
    const alternatives = this.#withAlternatives++ < WITH_ALTERNATIVES ? alternativeBounds(this.#allCosts(), cost, USUAL_CHOICE) : [];
    const fields = new Set(cost.bounds.map((bound) => bound.fields));
    const changes = chosen.changes.filter(({ bound }) => fields.has(bound.fields));
    // If single rules exceed their limits, bounds that only bring the total under its limit would mislead. So the result has no
    // alternatives.
    if (cost === this.#costs.total && this.prices.some((price) => price.cost > price.limit))
      return [{ changes, cost: cost.costWith(changes) }];
    const others = alternatives.filter((one) => changedFields(one.changes) !== changedFields(changes));
    return [{ changes, cost: cost.costWith(changes) }, ...others];
  }
}
