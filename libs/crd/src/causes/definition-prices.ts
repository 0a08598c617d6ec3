import { costsWith, expressionsHave } from '#cel';
import type { PriceSwitch, SwitchedEstimate } from '#cel';
import { EXPRESSION_COST_LIMIT, MINORS, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { expressionEnvironments } from '../definition/admission/expression-environments.ts';
import { addCost, multiplyCost, RuleContext } from '../definition/admission/rule-context.ts';
import { ruleNodes } from '../definition/admission/rule-costs.ts';
import type { Definition } from '../schema/definition.ts';
import type { ValidationRule } from '../schema/schema-props.ts';

/** Entry of `DIFFERENCES` that changes the sizes that the schema gives to values, and so the estimates of rules. */
type SizeSwitch = 'namesAreCapped' | 'intOrStringIsBounded';

/** All entries that change sizes. */
const SIZE_SWITCHES: readonly SizeSwitch[] = ['namesAreCapped', 'intOrStringIsBounded'];

/** Returns the switches of sizes that two minor versions set differently. */
export function sizesBetween(one: Minor, other: Minor): readonly SizeSwitch[] {
  return SIZE_SWITCHES.filter((name) => expressionsHave(one, name) !== expressionsHave(other, name));
}

/** Returns the last minor version that does not have an entry's behaviour. */
function minorBefore(name: SizeSwitch): Minor {
  return MINORS.findLast((minor) => !expressionsHave(minor, name)) ?? MINORS[0];
}

/** Rule or messageExpression of a definition, with its estimated highest cost for a whole object in cost units. */
export interface PricedExpression {
  readonly version: string;
  /** Path of the rule, such as `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly text: string;
  readonly isMessage: boolean;
  readonly cost: bigint;
  /** Settings of the cost formulas that the estimate read. */
  readonly read: ReadonlySet<PriceSwitch>;
}

/** Entry of `DIFFERENCES` that changes estimates of costs. */
export type EstimateSwitch = PriceSwitch | SizeSwitch;

/** Costs of a definition's expressions. `exceeds` is true if a cost limit makes a server refuse the definition. */
export interface PricedExpressions {
  readonly expressions: readonly PricedExpression[];
  /** Sum of all costs of each version of the definition, in cost units. */
  readonly sums: ReadonlyMap<string, bigint>;
  readonly exceeds: boolean;
}

/** Rule of a definition with its context. `times` is the highest number of its evaluations for one object. */
interface RulePlace {
  readonly version: string;
  readonly path: string;
  readonly rule: ValidationRule;
  readonly context: RuleContext;
  readonly times: bigint;
}

/** Server that estimates costs: its minor version, and the stored definition that an update changes. */
export interface PricingServer {
  readonly minor: Minor;
  readonly stored: Definition | undefined;
}

/** Estimates of the costs of a definition by a server of one minor version, also with single settings of another minor version. */
export class DefinitionPrices {
  readonly #definition: Definition;
  readonly #minor: Minor;
  readonly #stored: Definition | undefined;
  /** Rules by the minor version whose sizes the types of their values have. */
  readonly #places = new Map<Minor, readonly RulePlace[]>();
  readonly #own: ReadonlyMap<string, PricedExpression>;
  /** Costs as a server of the minor version estimates them. */
  readonly own: PricedExpressions;

  constructor(definition: Definition, { minor, stored }: PricingServer) {
    this.#definition = definition;
    this.#minor = minor;
    this.#stored = stored;
    const costs = costsWith(minor, new Set(), minor);
    const expressions = this.#placesAs(minor).flatMap((place) => expressionsOf(place, place.context.estimatesUnder(place.rule, costs)));
    this.#own = new Map(expressions.map((one) => [keyOf(one), one]));
    this.own = summed(expressions);
  }

  /**
   * Estimates all costs again with `switches` as the minor version `as` sets them. Neither the estimates nor the altered formulas are cached.
   * An expression that reads no altered switch keeps its cost.
   */
  under(switches: ReadonlySet<EstimateSwitch>, as: Minor): PricedExpressions {
    const typesAs = earliest([this.#minor, ...SIZE_SWITCHES.filter((name) => switches.has(name)).map(minorBefore)]);
    const costs = costsWith(this.#minor, switches, as);
    const isKept = ({ read }: PricedExpression): boolean => typesAs === this.#minor && [...read].every((name) => !switches.has(name));
    const expressions = this.#placesAs(typesAs).flatMap((place) => {
      const known = [false, true].flatMap((isMessage) => this.#own.get(keyOf({ ...place, isMessage })) ?? []);
      return known.every(isKept) ? known : expressionsOf(place, place.context.estimatesUnder(place.rule, costs));
    });
    return summed(expressions);
  }

  #placesAs(typesAs: Minor): readonly RulePlace[] {
    const known = this.#places.get(typesAs);
    if (known !== undefined) return known;
    const environments = { ...expressionEnvironments(this.#minor, this.#stored), minor: typesAs };
    const made = new Map<string, readonly RulePlace[]>();
    for (const { name: version, schema } of this.#definition.spec.versions) {
      if (schema === undefined || made.has(version)) continue;
      const nodes = ruleNodes(schema, RuleContext.root(schema, environments));
      const places = nodes.flatMap(({ schema: node, context, rulePaths }): RulePlace[] => {
        const compiled = context.compile();
        if (!compiled.ok) return [];
        const times = context.cardinality ?? compiled.minSizeCardinality;
        return node.rules.map((rule, i) => ({ version, path: rulePaths[i] as string, rule, context, times }));
      });
      made.set(version, places);
    }
    const places = [...made.values()].flat();
    this.#places.set(typesAs, places);
    return places;
  }
}

/** Returns a text that identifies an expression within its definition. */
export const keyOf = ({ version, path, isMessage }: Pick<PricedExpression, 'version' | 'path' | 'isMessage'>): string =>
  `${isMessage ? 'message' : 'rule'} ${version} ${path}`;

function expressionsOf(
  { version, path, rule, times }: RulePlace,
  estimates: Readonly<Record<'rule' | 'message', SwitchedEstimate | undefined>>,
): PricedExpression[] {
  const ofPart = (part: 'rule' | 'message', text: string): PricedExpression[] => {
    const estimate = estimates[part];
    if (estimate === undefined) return [];
    const isMessage = part === 'message';
    const cost = multiplyCost(estimate.max, isMessage ? 1n : times);
    return [{ version, path, text, isMessage, cost, read: estimate.read }];
  };
  return [...ofPart('rule', rule.rule), ...ofPart('message', rule.messageExpression)];
}

/** Returns the costs of those expressions whose {@link keyOf} is in `keys`. */
export const pricesAmong = ({ expressions }: PricedExpressions, keys: ReadonlySet<string>): PricedExpressions =>
  summed(expressions.filter((one) => keys.has(keyOf(one))));

function summed(expressions: readonly PricedExpression[]): PricedExpressions {
  const sums = new Map<string, bigint>();
  for (const { version, cost } of expressions) sums.set(version, addCost(sums.get(version) ?? 0n, cost));
  const exceeds = expressions.some(({ cost }) => cost > EXPRESSION_COST_LIMIT) || [...sums.values()].some((sum) => sum > SCHEMA_COST_LIMIT);
  return { expressions, sums, exceeds };
}

const earliest = (minors: readonly Minor[]): Minor => MINORS.find((minor) => minors.includes(minor)) as Minor;
