import type { Regex } from '#go';
import type { Minor } from '#kube';
import type { Fragment } from './code/javascript.ts';
import type { CodeSite, InlineCall, InlineReduction } from './code/site.ts';
import type { Operand } from './code/shape.ts';
import type { Units } from './code/units.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { CelValue, Constant } from '../values/value.ts';
import type { Trait } from '../values/type-of.ts';
import type { CelType } from '../values/types/type.ts';
import type { EvaluationContext } from '../values/evaluation-context.ts';
import type { GoTypeNaming } from '../values/go-type.ts';

/**
 * Declaration of one CEL function: signature, versions, documentation, examples, static estimate, run-time cost and implementation.
 * Checker, estimator, code generator, interpreter and documentation read it. No function name is written as a string outside the library.
 */
export interface FunctionDeclaration {
  /** Name of the function in cel-go: `startsWith`, `_+_`, `_[_]`, `sets.contains`. */
  readonly name: string;
  /** Library that contains the function: `standard`, `strings`, `kubernetes.lists`, … The documentation shows it. */
  readonly library: string;
  /** Description of the function in one or two sentences. */
  readonly doc: string;
  /**
   * Examples that are run as tests. A string is an expression that must be true. A pair is an expression and a CEL literal that must equal
   * its value.
   */
  readonly examples: readonly (string | readonly [string, string])[];
  readonly overloads: readonly Overload[];
  /**
   * Check of a literal argument when an expression is compiled. `call`: the call must succeed for the first argument. `pattern`: the first
   * argument must be a regular expression. `format`: the receiver must be a format string for the arguments. Source: cel-go
   * cel/validator.go (v0.29.2).
   */
  readonly literalArgument?: 'call' | 'pattern' | 'format';
  /**
   * Special form in which the interpreter and the code generator plan a call, such as `and` or `index`. It is set if not all operands are
   * evaluated, or if the cost differs from the cost of a normal call.
   */
  readonly planned?: PlannedKind;
  /**
   * True if a call with a constant argument is computed in advance, during planning. Source: cel-go overloads.go
   * `IsTypeConversionFunction`.
   */
  readonly folds?: boolean;
  /** Implementation for calls whose second argument is a constant pattern, which is compiled in advance. */
  readonly pattern?: PatternFunction;
  /** Test of arguments before an implementation runs. Default `types`. */
  readonly guard?: Guard;
  /**
   * Run-time cost of calls whose overload is determined only at run time, because arguments are dyn. Upstream has no overload id for these
   * calls. Default: 1.
   */
  readonly measure?: Measure;
}

/** Name of a function, with its documentation and its examples. */
export type Described = Pick<FunctionDeclaration, 'name' | 'doc' | 'examples'>;

/**
 * Names of the operators and functions for which the interpreter and the code generator have a special implementation. They implement all
 * other functions as normal calls.
 */
export type PlannedKind =
  | 'and'
  | 'or'
  | 'conditional'
  | 'equals'
  | 'notEquals'
  | 'index'
  | 'optionalIndex'
  | 'optionalOr'
  | 'optionalOrValue'
  | 'in';

/**
 * Test of the arguments of a call at run time. `types`: the types of the arguments must fit the parameters. If they do not fit, the result
 * is `no such overload: f(int, string)`. `none`: the implementation tests the arguments itself. A trait: all overloads share one
 * implementation. The first argument must have the trait. If it does not have it, the result is `no such overload: f`. Source: cel-go
 * common/decls/decls.go `Bindings`, type guards and singletons (v0.29.2).
 */
type Guard = 'types' | 'none' | Trait;

/**
 * Formula of a cost or of a size in the notation of docs/reference/functions.md, and the condition under which it applies. Of several
 * clauses, the last clause whose condition is true applies. The first clause has no condition. `formula-words.spec.ts` evaluates conditions
 * and formulas.
 */
export interface Clause {
  readonly formula: string;
  readonly when?: string;
}

/**
 * Function that returns a function's cost formula as text for the documentation. The text and the code of the formula come from one
 * expression (`price.ts`), or a test proves that they agree.
 */
export type FormulaText = (costs: CostVersion) => readonly Clause[];

/** Function that computes the run-time cost units of one call from its evaluated arguments (including errors) and its result. */
export type CallPrice = (args: readonly CelValue[], result: CelValue, costs: CostVersion) => number;

/**
 * Function that computes the run-time cost units of one call from its evaluated arguments (including errors) and its result. Its properties
 * are the cost formula as text, and optionally a function that emits the formula as JavaScript code.
 */
export interface Measure extends CallPrice {
  readonly formula: FormulaText;
  /**
   * Returns the cost units of a call in generated code. Returns undefined if an operand has a representation that only the measure itself
   * supports. If this property is absent, the generated code always calls the measure.
   */
  readonly emit?: EmitUnits;
}

/**
 * Function that emits code. The code computes the cost units of a call from the call's operands. The function returns a number instead of
 * code if the cost is already known. It returns undefined if it supports no such code for the representation of the operands.
 */
export type EmitUnits = (site: CodeSite, operands: readonly Operand[]) => Units | undefined;

/**
 * Function that estimates the static cost and the result size of one call, without the cost of its arguments. Its property `formulas`
 * contains these estimates as formulas for users.
 */
export interface Estimate {
  (call: EstimatedCall): CallEstimate;
  readonly formulas: EstimateFormulas;
}

/** Texts that show users the formulas of a cost estimate. */
export interface EstimateFormulas {
  readonly cost: FormulaText;
  /** Size of the result. Absent if the size is not known. */
  readonly resultSize?: FormulaText;
  /** Cost of evaluating the operands. Absent if this cost is the sum of the costs of all operands. */
  readonly operandCost?: FormulaText;
  /**
   * Returns true if an unknown size counts as unlimited in the formulas, so that what is computed from it is unlimited, too. Otherwise, an
   * unknown size counts as 2^64−1.
   */
  readonly unknownIsUnlimited?: (costs: CostVersion) => boolean;
}

/** A function whose result depends only on its arguments. */
export type PlainCall = (...args: CelValue[]) => CelValue;

/**
 * Implementation of a CEL function that also needs the evaluation context. The context contains the cancellation token and the behaviour of
 * values in the server's Kubernetes minor version. Instances are created by {@link withContext}.
 */
export class ContextCall {
  readonly apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue;
  constructor(apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue) {
    this.apply = apply;
  }
}

/**
 * Declares a CEL function that also receives the evaluation context. A function needs the context if it compares values, traverses data or
 * prints type names.
 */
export function withContext(apply: ContextCall['apply']): ContextCall {
  return new ContextCall(apply);
}

/**
 * Growth of the number of steps of a call if its arguments become larger. It is no faster than the growth in upstream's code.
 * `growth.spec.ts` counts the steps of rules, and `growing-calls.spec.ts` measures the thread CPU time of each call.
 */
export interface Growth {
  /**
   * Power with which the number of steps grows.
   *
   * - 0: no growth.
   * - 1: proportional to the sum of the sizes, or to this sum times its logarithm.
   * - 2: proportional to the product of the sizes.
   */
  readonly power: 0 | 1 | 2;
  /** Upstream's code that shows the growth, with file and version. */
  readonly source: string;
}

/** One signature of a function. */
export interface Overload {
  /**
   * Overload id in cel-go, such as `starts_with_string`. In each Kubernetes minor version, it is unique among the overloads of all
   * functions.
   */
  readonly id: string;
  /** Form of a call of the overload. `function`: f(x, y). `method`: x.f(y). In a method call, the receiver `x` is the first parameter. */
  readonly style: 'function' | 'method';
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /**
   * Compatibility versions of the overload. `since` is the first version in which *new* expressions may use it (`1.0` = always). `removedIn` is
   * the first version in which it no longer exists.
   */
  readonly since: CompatibilityMinor;
  readonly removedIn?: CompatibilityMinor;
  /** First minor version of the server that supports the overload in new or stored expressions. Default: `since`. */
  readonly binarySince?: Minor;
  /**
   * First minor version of the server in which another overload with the same id replaces this overload. The other overload differs in
   * behaviour or cost.
   */
  readonly replacedIn?: Minor;
  /**
   * True if the function may be called with arguments that are errors (`@not_strictly_false`, `optional.or`). All other functions are never
   * called with an error.
   */
  readonly nonStrict?: boolean;
  /** True if a call is charged although its argument is an error. Before 1.38, all calls with at most two arguments are. */
  readonly paysForErrors?: boolean;
  /** Static cost estimate of one call. Default: cost 1, and unknown result size. */
  readonly estimate?: Estimate;
  /** Run-time cost units of one call. Default: 1. */
  readonly measure?: Measure;
  /**
   * Growth of the number of steps. It must be present if any argument has a size. If it is absent, a call has a small constant number of
   * steps. For example, a planned choice between operands has no growth.
   */
  readonly growth?: Growth;
  /** Emits JavaScript code for the overload, if this is faster than a call. The cost is charged separately. */
  readonly inline?: InlineCall;
  /**
   * Emits code that processes the elements of a list one by one. If the list is the result of a macro and only this call needs it, the list
   * is not built.
   */
  readonly reduce?: InlineReduction;
  /**
   * True if cel-go binds the overload as a function of any number of arguments. The evaluation of arguments then stops at the first error,
   * and the failed call costs nothing. It is true for overloads with three or more parameters.
   */
  readonly variadic?: boolean;
  /**
   * Returns the message with which upstream panics when it computes the cost of a call with these arguments. The arguments may include
   * errors. Returns undefined if upstream does not panic.
   */
  readonly panics?: (args: readonly CelValue[], costs: CostVersion) => string | undefined;
  /** Implementation of the overload. The arguments include the receiver. It returns errors as CelError values and never throws. */
  readonly call: PlainCall | ContextCall;
}

/** Compatibility version, as the number of the minor version (after the dot): 0 (always available), 24, 28 … */
type CompatibilityMinor = number;

/**
 * Settings of the cost formulas of one Kubernetes minor version that can differ in another minor version. They are created in
 * `cost-version.ts`.
 */
export interface CostVersion extends GoTypeNaming {
  /** Minor number of the server, for example 37. Formulas should read the properties below instead of comparing this number. */
  readonly minor: number;
  /**
   * Operand whose size determines the run-time cost of `startsWith` and `endsWith`: the argument since cel-go 0.29, and the receiver in
   * older versions.
   */
  readonly affixTestTraverses: 'receiver' | 'argument';
  /**
   * True if the global function `matches(s, p)` costs the same as `s.matches(p)` (since cel-go 0.29). If it is false, the global function
   * costs 1.
   */
  readonly globalMatchesTraverses: boolean;
  /**
   * True if estimates use the entry sizes of literals, `dyn()`, bound variables and accumulators (since cel-go 0.23). If it is false,
   * estimates use only the sizes at schema paths.
   */
  readonly estimatesFollowEntries: boolean;
  /**
   * True if `==` on library types has a fixed static cost (since 1.32). If it is false, the cost is the same as for values of unknown size.
   */
  readonly libraryEqualityIsFixed: boolean;
  /** True if the size of a message literal is unknown to estimates (since 1.31). If it is false, the size is 0. */
  readonly messageSizeIsUnknown: boolean;
  /**
   * True if cel-go's run-time costs use the size of the value in an optional as the optional's size (cel-go 0.23 to 0.29). If it is false,
   * the size of an optional is 1.
   */
  readonly optionalsAreUnwrapped: boolean;
  /**
   * True if cel-go's package `common/cost` computes costs (since 1.38). If it is false, `checker/cost.go` and `interpreter/runtimecost.go`
   * compute them.
   */
  readonly costsAreModelled: boolean;
  /** True if the parts of a URL have the URL's size in estimates (since 1.38). If it is false, their size is unknown. */
  readonly urlPartsHaveSizes: boolean;
  /** True if `has(x)` has the size of the field `x` in estimates. If it is false, the size is 1, as for other bools. */
  readonly presenceTestsHaveSizes: boolean;
  /**
   * True if an entry of a computed value, such as `x.split(y)[0]`, has no known size in estimates. If it is false, it has the size that the
   * schema's root allows.
   */
  readonly computedEntriesAreUnbounded: boolean;
}

/** An operand of a call, with the facts that the static estimator has determined. */
export interface EstimatedOperand {
  /** The literal. Undefined if the operand is not a literal. */
  readonly literal: Constant | undefined;
  readonly type: CelType;
  /**
   * Size of the operand: the first known size in cel-go's order. The order is: the computed size, the size of the literal, the schema's
   * estimate, 1 for a scalar, and the size of the variable. Undefined if no size is known.
   */
  readonly size: SizeRange | undefined;
  /** Size of the elements of a list operand, as limited by the schema at the operand's path. Undefined if it is unknown. */
  readonly elementSize: SizeRange | undefined;
  /** Cost of evaluating the operand before the call. */
  readonly cost: CostRange;
}

/** One call whose cost is estimated. For a method call, the first element of `operands` is the receiver. */
export interface EstimatedCall {
  readonly operands: readonly EstimatedOperand[];
  readonly style: 'function' | 'method';
  readonly costs: CostVersion;
}

/**
 * Static estimate of one call: the cost of the call itself, and the size of the result if it is known. The estimator adds the cost of the
 * arguments.
 */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly resultSize?: SizeRange;
  /**
   * Indices of the operands whose entries become the entries of the result, for example of a concatenation or a conditional. The estimator
   * combines the known entry sizes of these operands.
   */
  readonly entriesOf?: readonly number[];
  /** Cost of evaluating all operands. It is present only if this cost is not the sum of the operands' costs (`&&`, `||`, `?:`). */
  readonly operandCost?: CostRange;
}

/** Implementation of a CEL function with a text and a pattern as arguments, for calls whose pattern was compiled in advance. */
export interface PatternFunction {
  readonly apply: (regex: Regex, args: readonly CelValue[]) => CelValue;
  /** Run-time cost of a call, like {@link FunctionDeclaration.measure}. */
  readonly measure: Measure | undefined;
  /** Emits JavaScript code for the call with a compiled pattern and a text. The cost is charged separately. */
  readonly inline?: (regex: Fragment, text: Fragment) => Operand;
}
