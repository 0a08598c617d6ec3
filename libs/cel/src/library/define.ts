import type { Regex } from '#go';
import type { Minor } from '#kube';
import type { Fragment } from './code/javascript.ts';
import type { InlineReduction } from './code/reduction.ts';
import type { Operand } from './code/shape.ts';
import type { CodeSite, InlineCall } from './code/site.ts';
import type { Units } from './code/units.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { Constant } from '../values/constant-value.ts';
import type { Trait } from '../values/type-of.ts';
import type { CelType } from '../values/types/type.ts';
import type { EvaluationContext } from '../values/evaluation-context.ts';
import type { CelValue } from '../values/value.ts';

/**
 * Declaration of one CEL function: signature, versions, documentation, examples, static estimate, run-time cost and implementation.
 * Checker, estimator, code generator, interpreter and docs use it. No function name is written as a string outside the library.
 */
export interface FunctionDeclaration {
  /** Name of the function in cel-go: `startsWith`, `_+_`, `_[_]`, `sets.contains`. */
  readonly name: string;
  /** Library to which the function belongs, for the documentation: `standard`, `strings`, `kubernetes.lists`, … */
  readonly library: string;
  /** Description of the function in one or two sentences. */
  readonly doc: string;
  /**
   * Examples that are run as tests. A string is an expression that must evaluate to true. A pair is an expression and the CEL literal to
   * which it must evaluate.
   */
  readonly examples: readonly (string | readonly [string, string])[];
  readonly overloads: readonly Overload[];
  /**
   * Check of a literal first argument when an expression is compiled. `call`: the call must succeed. `pattern`: the text must be a regular
   * expression. `format`: the receiver must be a format string for the arguments. Source: cel-go cel/validator.go (v0.29.2).
   */
  readonly literalArgument?: 'call' | 'pattern' | 'format';
  /**
   * Special form in which planners plan the call. It is set if not all operands are evaluated, or if the cost differs from that of a call.
   */
  readonly planned?: PlannedKind;
  /** True if planning computes the function for a constant argument. Source: cel-go overloads.go `IsTypeConversionFunction`. */
  readonly folds?: boolean;
  /** Implementation for calls whose second argument is a constant pattern, which is compiled in advance. */
  readonly pattern?: PatternFunction;
  /** Test of arguments before an implementation runs. Default `types`. */
  readonly guard?: Guard;
  /**
   * Run-time cost of calls whose overload is determined only at run time (dyn arguments). For these calls, upstream has no overload id.
   * Default: 1.
   */
  readonly measure?: Measure;
}

/** Name of a function, with its documentation and its examples. */
export type Described = Pick<FunctionDeclaration, 'name' | 'doc' | 'examples'>;

/** Special forms in which planners plan functions. */
export type PlannedKind =
  'and' | 'or' | 'conditional' | 'equals' | 'notEquals' | 'index' | 'optionalIndex' | 'optionalOr' | 'optionalOrValue' | 'in';

/**
 * Test of the arguments of a call at run time. `types`: the types of the arguments must fit the parameters, otherwise the result is `no
 * such overload: f(int, string)`. `none`: the implementation tests the arguments itself. A trait: all overloads share one implementation.
 * It runs if the first argument has the trait, otherwise the result is `no such overload: f`. Source: cel-go common/decls/decls.go
 * `Bindings`, type guards and singletons (v0.29.2).
 */
type Guard = 'types' | 'none' | Trait;

/**
 * A formula in the notation of docs/reference/functions.md, with the condition under which it applies. The last clause whose condition
 * holds is valid. The first clause has no condition. `formula-words.spec.ts` evaluates conditions and formulas.
 */
export interface Clause {
  readonly formula: string;
  readonly when?: string;
}

/** A cost formula as text. Code and text are derived from one expression (`price.ts`), or a test proves that they agree. */
export type Words = (costs: CostVersion) => readonly Clause[];

/** Function that computes the run-time cost units of one call from its evaluated arguments (including errors) and its result. */
export type CallPrice = (args: readonly CelValue[], result: CelValue, costs: CostVersion) => number;

/**
 * Function that computes the run-time cost units of one call from its evaluated arguments (including errors) and its result. It also has
 * the formula as text, and optionally as generated code.
 */
export interface Measure extends CallPrice {
  readonly words: Words;
  /**
   * Returns the cost units of a call in generated code. Returns undefined for operands in representations that only the measure itself
   * supports. If it is absent, the generated code always calls the measure.
   */
  readonly emit?: EmitUnits;
}

/** Function that returns the cost units of a call in generated code, from the operands of the call. */
export type EmitUnits = (site: CodeSite, operands: readonly Operand[]) => Units | undefined;

/**
 * Function that estimates the static cost and the result size of one call, without the cost of its arguments. It also has the upper limits
 * as texts.
 */
export interface Estimate {
  (call: EstimatedCall): CallEstimate;
  readonly words: EstimateWords;
}

/** Texts of the formulas of an estimate. */
export interface EstimateWords {
  readonly cost: Words;
  /** Size of the result. Absent if it is not known. */
  readonly resultSize?: Words;
  /** Cost of the operands. Absent if it is the sum of the costs of all operands. */
  readonly operandCost?: Words;
}

/** A function whose result depends only on its arguments. */
export type PlainCall = (...args: CelValue[]) => CelValue;

/**
 * A function that also uses its evaluation context: how values compare in the minor, and whether the evaluation was cancelled. It is
 * created by {@link withContext}.
 */
export class ContextCall {
  readonly apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue;
  constructor(apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue) {
    this.apply = apply;
  }
}

/** Declares a function that needs its evaluation context. Such functions compare values, traverse data or print names of types. */
export function withContext(apply: ContextCall['apply']): ContextCall {
  return new ContextCall(apply);
}

/**
 * Growth of the number of steps of a call with the sizes of its arguments. The number grows no faster than in upstream's code.
 * `growth.spec.ts` counts the steps of rules, and `growing-calls.spec.ts` measures the thread CPU time of each call.
 */
export interface Growth {
  /**
   * Power of the growth.
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
  /** Overload id in cel-go, such as `starts_with_string`. It is unique among all functions of a minor. */
  readonly id: string;
  /** Syntax of a call of the overload. `function`: f(x, y). `method`: x.f(y), in which the receiver is the first parameter. */
  readonly style: 'function' | 'method';
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /**
   * Compatibility versions of the overload. `since` is the version from which *new* expressions may use it (`1.0` = always). `until` is the
   * version from which it no longer exists.
   */
  readonly since: CompatibilityMinor;
  readonly until?: CompatibilityMinor;
  /** First server minor that supports the overload at all, for new and stored expressions. Default: `since`. */
  readonly binarySince?: Minor;
  /** First server minor that has another overload with the same id, with different behaviour or cost. */
  readonly binaryUntil?: Minor;
  /**
   * True if the function may be called with errors (`@not_strictly_false`, `optional.or`). All other functions are never called with an
   * error.
   */
  readonly nonStrict?: boolean;
  /** Static cost estimate of one call. Default: cost 1, and an unknown size of the result. */
  readonly estimate?: Estimate;
  /** Run-time cost units of one call. Default: 1. */
  readonly measure?: Measure;
  /**
   * Growth of the number of steps. It is given if any argument has a size. If it is absent, a call takes a fixed small number of steps,
   * like a planned choice between operands.
   */
  readonly growth?: Growth;
  /** Emits JavaScript code for the overload, if this is faster than a call. The cost is charged separately. */
  readonly inline?: InlineCall;
  /** Emits code that processes the elements of a list one by one. A list from a macro is then not built if only this call needs it. */
  readonly reduce?: InlineReduction;
  /**
   * True if cel-go binds the overload as a function of any number of arguments. The evaluation of arguments then stops at the first error,
   * and such a call costs nothing. It is true for three or more parameters.
   */
  readonly variadic?: boolean;
  /**
   * Returns the message with which upstream panics when it computes the cost of a call with these arguments, which may include errors.
   * Returns undefined if it does not panic.
   */
  readonly panics?: (args: readonly CelValue[]) => string | undefined;
  /** Implementation of the overload. The arguments include the receiver. It returns errors as CelError values and never throws. */
  readonly call: PlainCall | ContextCall;
}

/** Minor number of a compatibility version (after the dot): 0 (always available), 24, 28 … */
type CompatibilityMinor = number;

/** Cost formulas of one Kubernetes minor that differ between minors. They are created in `cost-version.ts`. */
export interface CostVersion {
  /** Minor number of the server, for example 37. Formulas that differ between minors have their own properties. */
  readonly minor: number;
  /** Operand whose size `startsWith` and `endsWith` traverse at run time. It is the argument since cel-go 0.29, and the receiver before. */
  readonly affixTestTraverses: 'receiver' | 'argument';
  /** True if global `matches(s, p)` costs the same as `s.matches(p)` (since cel-go 0.29). If it is false, the global function costs 1. */
  readonly globalMatchesTraverses: boolean;
  /**
   * True if estimates use the sizes of entries of literals, `dyn()`, bound variables and accumulators (since cel-go 0.23). If it is false,
   * they use only the sizes of schema paths.
   */
  readonly estimatesFollowEntries: boolean;
  /** True if `==` on library types has a fixed static cost (since 1.32). If it is false, it costs as much as for values of unknown size. */
  readonly libraryEqualityIsFixed: boolean;
  /** True if the size of a message literal is unknown to estimates (since 1.31). If it is false, the size is 0. */
  readonly messageSizeIsUnknown: boolean;
  /** True if an optional has the size of its value in cel-go's run-time costs (since cel-go 0.23). If it is false, it has the size 1. */
  readonly optionalsAreUnwrapped: boolean;
}

/** An operand of a call, with what the static estimator knows about it. */
export interface EstimatedOperand {
  /** The literal, if the operand is one. Undefined otherwise. */
  readonly literal: Constant | undefined;
  readonly type: CelType;
  /**
   * Size of the operand, determined in cel-go's order: computed, literal, schema estimate, 1 for a scalar, variable. Undefined if it is
   * unknown.
   */
  readonly size: SizeRange | undefined;
  /** Size of the elements of a list operand, determined by its schema path. Undefined if it is unknown. */
  readonly elementSize: SizeRange | undefined;
  /** Cost of evaluating the operand itself. */
  readonly cost: CostRange;
}

/** One call whose cost is estimated. The first of `operands` is the receiver, if there is one. */
export interface EstimatedCall {
  readonly operands: readonly EstimatedOperand[];
  readonly style: 'function' | 'method';
  readonly costs: CostVersion;
}

/** Static estimate of one call: its own cost, and the size of the result if it is known. The estimator adds the cost of the arguments. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly resultSize?: SizeRange;
  /**
   * Indices of the operands whose entries become the entries of the result (concatenation, conditional). The estimator combines the known
   * entry sizes of these operands.
   */
  readonly entriesOf?: readonly number[];
  /** Cost of all operands together. It is present only if it is not the sum of their costs (`&&`, `||`, `?:`). */
  readonly operandCost?: CostRange;
}

/** Implementation of a function of a text and a pattern that is already compiled. */
export interface PatternFunction {
  readonly apply: (regex: Regex, args: readonly CelValue[]) => CelValue;
  /** Run-time cost of a call, like {@link FunctionDeclaration.measure}. */
  readonly measure: Measure | undefined;
  /** Emits JavaScript code for the call with a compiled pattern and a text. The cost is charged separately. */
  readonly inline?: (regex: Fragment, text: Fragment) => Operand;
}
