import { analyze } from './compile.ts';
import { agreeOn } from './language/asked-names.ts';
import { parseOnce } from './language/syntax/parse-once.ts';
import { planInterpreted } from './engines/interpret/plan.ts';
import { estimateCost } from './prices/estimate.ts';
import { schemaSize } from './prices/schema-size.ts';
import { celTypeOf } from './values/schema/declared-type.ts';
import { optionalOf } from './values/types/type.ts';
import type { Minor } from '#kube';
import type { Analysis } from './compile.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { PlanResult } from './engines/interpret/plan.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';
import type { CelType } from './values/types/type.ts';

/** What follows from an expression, the type of `self` and the environment, whoever evaluates it. */
export interface RuleAnalysis {
  readonly analysis: Analysis;
  /** Whether the expression mentions `oldSelf`. */
  readonly usesOldSelf: boolean;
  /** Most cost units that one evaluation can take, by estimate. */
  maxCost(): bigint;
  /** The program of the interpreter, or the error of a constant part. Evaluations leave nothing in it, so that all share it. */
  planned(): PlanResult;
}

/** How `oldSelf` is declared: as `self`, or as an optional of that (`optionalOldSelf: true`). */
export type OldSelf = 'plain' | 'optional';

/** The name that upstream makes up for the type of `self`; it ends in digits of the clock there. */
const SELF_TYPE_NAME = 'selfType0';

/** Expressions that were found fine, by the type of `self`. */
const knownRules = new WeakMap<DeclaredType, DeclaredRules>();

/**
 * Analyzes an expression of a rule, once for all nodes of one declaration and all environments that tell parser and checker the same of it. What a server's
 * minor prices and folds otherwise is found out once for each minor. Complaints are not kept.
 */
export function analyzeRule(text: string, self: DeclaredType, oldSelf: OldSelf, environment: Environment): RuleAnalysis {
  let rules = knownRules.get(self);
  if (rules === undefined) knownRules.set(self, (rules = new DeclaredRules(self)));
  return rules.analyze(text, oldSelf, environment);
}

/** The expressions of rules at nodes of one declaration. */
class DeclaredRules {
  readonly #self: DeclaredType;
  readonly #variables: Readonly<Record<OldSelf, ReadonlyMap<string, CelType>>>;
  readonly #known: Readonly<Record<OldSelf, Map<string, CheckedRule[]>>> = { plain: new Map(), optional: new Map() };

  constructor(self: DeclaredType) {
    this.#self = self;
    const type = celTypeOf(self, SELF_TYPE_NAME);
    const withOld = (old: CelType): ReadonlyMap<string, CelType> =>
      new Map([
        ['self', type],
        ['oldSelf', old],
      ]);
    this.#variables = { plain: withOld(type), optional: withOld(optionalOf(type)) };
  }

  analyze(text: string, oldSelf: OldSelf, environment: Environment): RuleAnalysis {
    const known = this.#known[oldSelf].get(text) ?? [];
    const found = known.find((rule) => rule.holdsIn(environment));
    if (found !== undefined) return found.in(environment);
    const analysis = analyze(text, this.#variables[oldSelf], environment);
    if (!analysis.ok) return failed(analysis);
    const made = new CheckedRule(text, analysis, this.#self, environment);
    this.#known[oldSelf].set(text, [...known, made]);
    return made.in(environment);
  }
}

function failed(analysis: Analysis): RuleAnalysis {
  const none = (): never => {
    throw new Error('the expression has complaints');
  };
  return { analysis, usesOldSelf: false, maxCost: none, planned: none };
}

/** An expression that the checker found fine in one environment, and so in all that agree with it. */
class CheckedRule {
  readonly #text: string;
  readonly #analysis: Extract<Analysis, { readonly ok: true }>;
  readonly #self: DeclaredType;
  readonly #environment: Environment;
  readonly #byMinor = new Map<Minor, ServedRule>();
  readonly #usesOldSelf: boolean;

  constructor(text: string, analysis: Extract<Analysis, { readonly ok: true }>, self: DeclaredType, environment: Environment) {
    this.#text = text;
    this.#analysis = analysis;
    this.#self = self;
    this.#environment = environment;
    this.#usesOldSelf = mentionsOldSelf(analysis.checked);
  }

  holdsIn(environment: Environment): boolean {
    if (environment === this.#environment) return true;
    return agreeOn(this.#analysis.asked, this.#environment, environment) && haveOneTree(this.#text, this.#environment, environment);
  }

  in(environment: Environment): RuleAnalysis {
    const { minor } = environment;
    const known = this.#byMinor.get(minor);
    if (known !== undefined) return known;
    const made = new ServedRule(this.#analysis, this.#usesOldSelf, this.#self, environment);
    this.#byMinor.set(minor, made);
    return made;
  }
}

/** Whether a text is the same tree in two environments: parsing gives one for all syntaxes that read a text the same. */
function haveOneTree(text: string, { syntax: one }: Environment, { syntax: other }: Environment): boolean {
  return one === other || parseOnce(text, one) === parseOnce(text, other);
}

/** A checked expression as the servers of one minor price and plan it. */
class ServedRule implements RuleAnalysis {
  readonly analysis: Extract<Analysis, { readonly ok: true }>;
  readonly usesOldSelf: boolean;
  readonly #self: DeclaredType;
  readonly #environment: Environment;
  #maxCost: bigint | undefined;
  #planned: PlanResult | undefined;

  constructor(analysis: Extract<Analysis, { readonly ok: true }>, usesOldSelf: boolean, self: DeclaredType, environment: Environment) {
    this.analysis = analysis;
    this.usesOldSelf = usesOldSelf;
    this.#self = self;
    this.#environment = environment;
  }

  maxCost(): bigint {
    const sizeAt = (path: readonly string[]) => schemaSize(this.#self, path);
    return (this.#maxCost ??= estimateCost(this.analysis.checked, { sizeAt, costs: this.#environment.costs }).max);
  }

  planned(): PlanResult {
    return (this.#planned ??= planInterpreted(this.analysis.checked, this.#environment));
  }
}

function mentionsOldSelf({ references }: CheckedExpression): boolean {
  for (const { name } of references.values()) if (name === 'oldSelf') return true;
  return false;
}
