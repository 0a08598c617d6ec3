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
 * One CEL function is one declaration: signature, dates, doc, examples, static estimate, run-time measure, implementation. Checker,
 * estimator, code generator, interpreter and docs read it; no function name stands as a string outside the library.
 */
export interface FunctionDeclaration {
  /** cel-go's name: `startsWith`, `_+_`, `_[_]`, `sets.contains`. */
  readonly name: string;
  /** The library it belongs to, for docs: `standard`, `strings`, `kubernetes.lists`, … */
  readonly library: string;
  /** Description of the function in one or two sentences. */
  readonly doc: string;
  /** Expressions that must hold (evaluate to true) or, as a pair, evaluate to the CEL literal on the right. Executed as tests. */
  readonly examples: readonly (string | readonly [string, string])[];
  readonly overloads: readonly Overload[];
  /**
   * The check of a literal first argument when an expression is compiled. `call`: the call succeeds. `pattern`: the text is a regular expression.
   * `format`: the receiver is a format string for the arguments. Source: cel-go cel/validator.go (v0.29.2).
   */
  readonly literalArgument?: 'call' | 'pattern' | 'format';
  /** Special treatment by planners, if not all operands are evaluated, or if the cost differs from a call's. */
  readonly planned?: PlannedKind;
  /** True if planning computes it for a constant argument. Source: cel-go overloads.go `IsTypeConversionFunction`. */
  readonly folds?: boolean;
  /** Implementation for a compiled constant pattern as second argument. */
  readonly pattern?: PatternFunction;
  /** Test of arguments before an implementation runs. Default `types`. */
  readonly guard?: Guard;
  /** Run-time cost where the overload is decided only at run time (dyn arguments), so that upstream knows no overload id. Absent: 1. */
  readonly measure?: Measure;
}

/** The name of a function, its documentation and its examples. */
export type Described = Pick<FunctionDeclaration, 'name' | 'doc' | 'examples'>;

/** The special forms of planned functions. */
export type PlannedKind =
  'and' | 'or' | 'conditional' | 'equals' | 'notEquals' | 'index' | 'optionalIndex' | 'optionalOr' | 'optionalOrValue' | 'in';

/**
 * `types`: the arguments' run-time types must fit the parameters, else `no such overload: f(int, string)`.
 * `none`: the implementation tests them itself.
 * A trait: all overloads share one implementation, which runs when the first argument has the trait, else `no such overload: f`.
 * Source: cel-go common/decls/decls.go `Bindings`, type guards and singletons (v0.29.2).
 */
type Guard = 'types' | 'none' | Trait;

/**
 * A formula in the notation of docs/reference/functions.md, with its case. The last clause whose case applies is valid; the first
 * has no case. `formula-words.spec.ts` tells cases apart and evaluates the formulas.
 */
export interface Clause {
  readonly formula: string;
  readonly when?: string;
}

/** A price in words. Code and words come from one expression (`price.ts`), or a test proves that they agree. */
export type Words = (costs: CostVersion) => readonly Clause[];

/** Run-time cost units of one call, from its evaluated arguments (errors included) and its result. */
export type CallPrice = (args: readonly CelValue[], result: CelValue, costs: CostVersion) => number;

/** Run-time cost units of one call, from its evaluated arguments (errors included) and its result; with its words and its code. */
export interface Measure extends CallPrice {
  readonly words: Words;
  /** The units of a call in generated code; undefined for operands in shapes of which only the measure itself knows. Absent: for all. */
  readonly emit?: EmitUnits;
}

/** Units of a call by where its operands are held in generated code. */
export type EmitUnits = (site: CodeSite, operands: readonly Operand[]) => Units | undefined;

/** Static cost and result size of one call, without the cost of its arguments; with the words of the most it can be. */
export interface Estimate {
  (call: EstimatedCall): CallEstimate;
  readonly words: EstimateWords;
}

/** Words of the parts of an estimate. */
export interface EstimateWords {
  readonly cost: Words;
  /** Present if the size of the result is known. */
  readonly resultSize?: Words;
  /** Present if the cost of the operands is not the sum of their costs. */
  readonly operandCost?: Words;
}

/** A function of its arguments and nothing else. */
export type PlainCall = (...args: CelValue[]) => CelValue;

/** A function that also asks what it runs in: how values compare in the minor, whether to go on. Made by {@link withContext}. */
export class ContextCall {
  readonly apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue;
  constructor(apply: (context: EvaluationContext, ...args: CelValue[]) => CelValue) {
    this.apply = apply;
  }
}

/** Declares a function that needs its evaluation context. Such functions compare values, walk data or name types. */
export function withContext(apply: ContextCall['apply']): ContextCall {
  return new ContextCall(apply);
}

/**
 * The growth of a call's steps with the sizes of its arguments: no faster than in upstream's code. `growth.spec.ts` counts the steps of rules,
 * `growing-calls.spec.ts` the thread CPU of each call.
 */
export interface Growth {
  /** 0: none. 1: with the sum of the sizes, or with that times its logarithm. 2: with their product. */
  readonly power: 0 | 1 | 2;
  /** The upstream code, with file and version. */
  readonly source: string;
}

/** One signature of a function. */
export interface Overload {
  /** cel-go's overload id, such as `starts_with_string`. Unique over all functions of a minor. */
  readonly id: string;
  /** `function`: f(x, y); `method`: x.f(y), the receiver being the first parameter. */
  readonly style: 'function' | 'method';
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Compatibility version from which *new* expressions may use it (`1.0` = always), and the one from which it is gone. */
  readonly since: CompatibilityMinor;
  readonly until?: CompatibilityMinor;
  /** First server minor whose binary knows it at all, for new and stored expressions alike. Defaults to `since`. */
  readonly binarySince?: Minor;
  /** First server minor whose binary has another overload of this id, with other behaviour or cost. */
  readonly binaryUntil?: Minor;
  /** Non-strict functions see errors (`@not_strictly_false`, `optional.or`); all others are never called with one. */
  readonly nonStrict?: boolean;
  /** Absent: cost 1, size unknown. */
  readonly estimate?: Estimate;
  /** Run-time cost units of one call. Absent: 1. */
  readonly measure?: Measure;
  /** Stated wherever an argument has a size. Absent: a call takes a few steps, as a planned choice between operands does. */
  readonly growth?: Growth;
  /** Writes it as JavaScript where that is faster than calling it; its price is charged beside. */
  readonly inline?: InlineCall;
  /**
   * Writes the overload of a list for elements that come one by one. The list of a macro is then not built if only this
   * call needs it.
   */
  readonly reduce?: InlineReduction;
  /** Bound as a function of any number of arguments: evaluation stops at the first error, and such a call costs nothing. True from three parameters on. */
  readonly variadic?: boolean;
  /**
   * Returns the text with which upstream panics when it prices a call of these arguments, errors included; undefined if
   * it does not panic.
   */
  readonly panics?: (args: readonly CelValue[]) => string | undefined;
  /** The implementation. Arguments include the receiver. It returns errors as CelError values, and never throws. */
  readonly call: PlainCall | ContextCall;
}

/** A compatibility version as numbers after the dot: 0 (always there), 24, 28 … */
type CompatibilityMinor = number;

/** The dated cost formulas of one Kubernetes minor, made in `cost-version.ts`. */
export interface CostVersion {
  /** The server's minor number, e.g. 37. Dated formulas are fields of their own below. */
  readonly minor: number;
  /** Operand whose size `startsWith` and `endsWith` traverse at run time: the argument since cel-go 0.29. */
  readonly affixTestTraverses: 'receiver' | 'argument';
  /** True if global `matches(s, p)` costs the same as `s.matches(p)` (since cel-go 0.29); before, it costs 1. */
  readonly globalMatchesTraverses: boolean;
  /**
   * True if estimates follow entries of literals, `dyn()`, bound variables and accumulators (since cel-go 0.23);
   * before, only schema paths.
   */
  readonly estimatesFollowEntries: boolean;
  /**
   * True if `==` on library types has a fixed static cost (since 1.32); before, it costs as much as for values of
   * unknown size.
   */
  readonly libraryEqualityIsFixed: boolean;
  /** True if estimates do not know the size of a message literal (since 1.31); before, it was 0. */
  readonly messageSizeIsUnknown: boolean;
  /**
   * True if an optional has the size of its value in cel-go's run-time prices (since cel-go 0.23); before, it has size
   * 1.
   */
  readonly optionalsAreUnwrapped: boolean;
}

/** An operand of a call as the static estimator knows it. */
export interface EstimatedOperand {
  /** The literal that it is, if it is one. */
  readonly literal: Constant | undefined;
  readonly type: CelType;
  /** Size by cel-go's look-up order (computed, literal, schema estimate, scalar 1, variable); undefined when unknown. */
  readonly size: SizeRange | undefined;
  /** Size of the elements of a list operand by its schema path, where known. */
  readonly elementSize: SizeRange | undefined;
  /** Cost of evaluating the operand itself. */
  readonly cost: CostRange;
}

/** One call under estimation. `operands` include the receiver as the first. */
export interface EstimatedCall {
  readonly operands: readonly EstimatedOperand[];
  readonly style: 'function' | 'method';
  readonly costs: CostVersion;
}

/** Static answer for one call: its own cost (arguments are added by the estimator) and, where it is known, the size of the result. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly resultSize?: SizeRange;
  /** Operands whose entries make up the entries of the result (concatenation, choice): the estimator unions their tracked entry sizes. */
  readonly entriesOf?: readonly number[];
  /** Cost of all operands together, where it is not the sum of theirs (`&&`, `||`, `?:`). */
  readonly operandCost?: CostRange;
}

/** A function of a text and a pattern, once the pattern is compiled. */
export interface PatternFunction {
  readonly apply: (regex: Regex, args: readonly CelValue[]) => CelValue;
  /** As {@link FunctionDeclaration.measure}. */
  readonly measure: Measure | undefined;
  /** Writes it as JavaScript, of a compiled pattern and a text; its price is charged beside. */
  readonly inline?: (regex: Fragment, text: Fragment) => Operand;
}
