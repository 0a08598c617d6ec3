import { memoizeWeak } from '#go';
import { analyze } from './compile.ts';
import { agreeOn } from './language/recorded-names.ts';
import { parseOnce } from './language/syntax/parse-once.ts';
import { canFailToPlan, planWhenRun } from './engines/interpret/plan-when-run.ts';
import { recordingCosts, saysTheSame } from './library/cost-version.ts';
import { estimateCost } from './prices/estimate.ts';
import { schemaSize } from './prices/value-path.ts';
import { celTypeOf, shapeOf } from './values/schema/declared-type.ts';
import type { DeclaredType, TypeShape } from './values/schema/declared-type.ts';
import { optionalOf } from './values/types/type.ts';
import { EXPRESSION_WORK } from './work-done.ts';
import type { Minor } from '#kube';
import type { Analysis } from './compile.ts';
import type { CheckedExpression } from './language/check/checked.ts';
import type { Environment } from './language/environment.ts';
import type { UsedCosts } from './library/cost-version.ts';
import type { CostVersion } from './library/define.ts';
import type { ProgramResult } from './engines/program.ts';
import type { CelType } from './values/types/type.ts';

/**
 * Results of the analysis of an expression. They depend on the text, the type of `self` and the environment, and are the same for all
 * engines.
 */
export interface RuleAnalysis {
  readonly analysis: Analysis;
  /**
   * Returns the checker's result for an expression without errors. The expression is checked again if the result has been
   * garbage-collected.
   */
  checked(): CheckedExpression;
  /** True if the expression mentions `oldSelf`. */
  readonly usesOldSelf: boolean;
  /** Returns the estimated maximum cost of one evaluation, in cost units. */
  maxCost(): bigint;
  /**
   * Returns the interpreter's program, or the error of a constant part. All callers share one program, because evaluations do not change
   * it.
   */
  planned(): ProgramResult;
}

/**
 * Declaration of `oldSelf`. `plain`: `oldSelf` has the type of `self`. `optional`: it has an optional of this type, for rules with
 * `optionalOldSelf: true`.
 */
export type OldSelf = 'plain' | 'optional';

/** Name that upstream generates for the type of `self`. In upstream, the number at the end is derived from the clock. */
const SELF_TYPE_NAME = 'selfType0';

/**
 * Returns the analyzed expressions for rules whose `self` has a type of one shape. The shape consists of kinds, field names and bounds.
 * Equal shapes are the same object.
 */
const rulesOfShape = memoizeWeak((shape: TypeShape) => new RulesOfShape(shape));

/**
 * Analyzes the expression of a rule. The result is shared by all schema nodes whose types have the same shape (kinds, field names and
 * bounds). It is also shared by all environments that parse and check the expression in the same way. Costs and constant folding are
 * computed once for each Kubernetes minor version in which they differ. Errors are not cached.
 */
export function analyzeRule(text: string, self: DeclaredType, oldSelf: OldSelf, environment: Environment): RuleAnalysis {
  return rulesOfShape(shapeOf(self)).analyze(text, oldSelf, environment);
}

/** Cache of analyzed expressions, for rules whose `self` has one shape (kinds, field names and bounds of its type). */
class RulesOfShape {
  readonly #self: TypeShape;
  readonly #known: Readonly<Record<OldSelf, Map<string, CheckedRule[]>>> = { plain: new Map(), optional: new Map() };

  constructor(self: TypeShape) {
    this.#self = self;
  }

  analyze(text: string, oldSelf: OldSelf, environment: Environment): RuleAnalysis {
    const known = this.#known[oldSelf].get(text) ?? [];
    const found = known.find((rule) => rule.holdsIn(environment));
    if (found !== undefined) return found.in(environment);
    const question: RuleQuestion = { text, self: this.#self, oldSelf, environment };
    const analysis = answerTo(question);
    if (!analysis.ok) return failed(analysis);
    const made = new CheckedRule(question, analysis);
    this.#known[oldSelf].set(text, [...known, made]);
    return made.in(environment);
  }
}

/** Inputs of the analysis of an expression. */
interface RuleQuestion {
  readonly text: string;
  readonly self: TypeShape;
  readonly oldSelf: OldSelf;
  readonly environment: Environment;
}

function answerTo({ text, self, oldSelf, environment }: RuleQuestion): Analysis {
  return analyze(text, ruleVariables(self, oldSelf), environment);
}

/** Returns the types of the variables that a rule may mention. */
export function ruleVariables(self: TypeShape, oldSelf: OldSelf): ReadonlyMap<string, CelType> {
  const type = celTypeOf(self, SELF_TYPE_NAME);
  return new Map([
    ['self', type],
    ['oldSelf', oldSelf === 'plain' ? type : optionalOf(type)],
  ]);
}

function failed(analysis: Analysis): RuleAnalysis {
  const none = (): never => {
    throw new Error('the expression has complaints');
  };
  return { analysis, checked: none, usesOldSelf: false, maxCost: none, planned: none };
}

/**
 * Analysis without errors. It is held by a weak reference, because the tree with the types of its nodes takes some hundred times the memory
 * of the text. The analysis is rarely used after compilation.
 */
type SoundAnalysis = Extract<Analysis, { readonly ok: true }>;

/**
 * An expression for which the checker found no error in one environment. The result is also valid in every other environment that parses
 * and checks the expression in the same way.
 */
class CheckedRule {
  readonly #question: RuleQuestion;
  readonly #lookedUp: SoundAnalysis['lookedUp'];
  #analysis: WeakRef<SoundAnalysis>;
  /**
   * Environments that were compared with the environment of the analysis. The value is true if both parse and check the expression in the
   * same way.
   */
  #agreeing: Map<Environment, boolean> | undefined;
  readonly #byMinor = new Map<Minor, ServedRule>();
  readonly #estimates: { readonly used: UsedCosts; readonly max: bigint }[] = [];
  readonly usesOldSelf: boolean;
  #canFailToPlan: boolean | undefined;

  constructor(question: RuleQuestion, analysis: SoundAnalysis) {
    this.#question = question;
    this.#lookedUp = analysis.lookedUp;
    this.#analysis = new WeakRef(analysis);
    this.usesOldSelf = mentionsOldSelf(analysis.checked);
  }

  get analysis(): SoundAnalysis {
    const known = this.#analysis.deref();
    if (known !== undefined) return known;
    const found = answerTo(this.#question);
    if (!found.ok) throw new Error(`an expression was not expected to fail: ${found.issues.toString()}`);
    this.#analysis = new WeakRef(found);
    return found;
  }

  holdsIn(environment: Environment): boolean {
    const { text, environment: own } = this.#question;
    if (environment === own) return true;
    let agrees = this.#agreeing?.get(environment);
    if (agrees === undefined) {
      agrees = agreeOn(this.#lookedUp, own, environment) && haveOneTree(text, own, environment);
      (this.#agreeing ??= new Map()).set(environment, agrees);
    }
    return agrees;
  }

  in(environment: Environment): RuleAnalysis {
    const { minor } = environment;
    const known = this.#byMinor.get(minor);
    if (known !== undefined) return known;
    const made = new ServedRule(this, environment);
    this.#byMinor.set(minor, made);
    return made;
  }

  /**
   * Returns true if planning the expression can fail. The result is the same in all environments that parse and check the expression in the
   * same way.
   */
  canFailToPlan(): boolean {
    return (this.#canFailToPlan ??= canFailToPlan(this.analysis.checked, this.#question.environment));
  }

  /**
   * Returns the estimated maximum cost. Kubernetes minor versions share one estimate if they have equal costs for everything that the
   * estimate uses.
   */
  maxCost(costs: CostVersion): bigint {
    const known = this.#estimates.find(({ used }) => saysTheSame(costs, used));
    if (known !== undefined) return known.max;
    EXPRESSION_WORK.estimated++;
    const used: UsedCosts = {};
    const sizeAt = (path: readonly string[]) => schemaSize(this.#question.self, path);
    const { max } = estimateCost(this.analysis.checked, { sizeAt, costs: recordingCosts(costs, used) });
    this.#estimates.push({ used, max });
    return max;
  }
}

/**
 * Returns true if a text has the same syntax tree in two environments. The parser returns the identical object for all syntaxes that parse
 * the text equally.
 */
function haveOneTree(text: string, { syntax: one }: Environment, { syntax: other }: Environment): boolean {
  return one === other || parseOnce(text, one) === parseOnce(text, other);
}

/** A checked expression with the costs and the program that servers of one Kubernetes minor version compute for it. */
class ServedRule implements RuleAnalysis {
  readonly #rule: CheckedRule;
  readonly #environment: Environment;
  #planned: ProgramResult | undefined;

  constructor(rule: CheckedRule, environment: Environment) {
    this.#rule = rule;
    this.#environment = environment;
  }

  get analysis(): Analysis {
    return this.#rule.analysis;
  }

  checked(): CheckedExpression {
    return this.#rule.analysis.checked;
  }

  get usesOldSelf(): boolean {
    return this.#rule.usesOldSelf;
  }

  maxCost(): bigint {
    return this.#rule.maxCost(this.#environment.costs);
  }

  planned(): ProgramResult {
    return (this.#planned ??= planWhenRun(() => this.checked(), this.#environment, this.#rule.canFailToPlan()));
  }
}

function mentionsOldSelf({ references }: CheckedExpression): boolean {
  for (const { name } of references.values()) if (name === 'oldSelf') return true;
  return false;
}
