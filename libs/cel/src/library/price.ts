import { addRanges, exactly, multiplyRanges, range, scaleRangeExactly, scaleRange, UNKNOWN_SIZE } from './range.ts';
import { addedUnits, multipliedUnits, scaledUnits, shorterUnits, sizeUnits, textScale } from './code/units.ts';
import { standardCostSizeOf, costSizeOf } from '../values/size.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { Operand } from './code/shape.ts';
import type { CodeSite } from './code/site.ts';
import type { Units } from './code/units.ts';
import type { CelValue } from '../values/value.ts';
import type {
  CallEstimate,
  Clause,
  CostVersion,
  EmitUnits,
  Estimate,
  EstimatedCall,
  EstimateFormulas,
  Measure,
  FormulaText,
} from './define.ts';

/** Names of operands in formulas, in parameter order. For a method, the receiver is `x`. */
const OPERAND_NAMES = ['x', 'y', 'z', 'w'] as const;

/**
 * Term of a cost formula: a number of cost units or a size. The displayed formula, the estimate, the run-time cost and the generated code
 * all derive from the same term.
 */
export interface PriceTerm {
  readonly words: string;
  /** Kind of the formula in `formula`. It determines parentheses: a sum is enclosed in parentheses if it becomes a factor. */
  readonly kind: 'sum' | 'product' | 'atom';
  /**
   * True if cel-go itself states the term, with sizes from {@link standardSize}. cel-go's package `common/cost` computes such terms exactly;
   * other libraries round their products in float64.
   */
  readonly isStandard?: boolean;
  /** Range of the term's value, which is estimated at compile time. */
  readonly range: (call: EstimatedCall) => CostRange;
  /** Value of the term at run time. */
  readonly units: (args: readonly CelValue[], costs: CostVersion) => number;
  /** Emits the code that computes the term's value at run time in generated code. */
  readonly emit: EmitUnits;
}

/** Returns the estimated size of an operand. For an unknown size, the result is the range from 0 to the largest size. */
export function sizeEstimate(call: EstimatedCall, index: number): SizeRange {
  return call.operands[index]?.size ?? UNKNOWN_SIZE;
}

function sizeBy(measure: (value: CelValue, costs: CostVersion) => number, index: number): PriceTerm {
  return {
    words: `size(${OPERAND_NAMES[index]})`,
    kind: 'atom',
    range: (call) => sizeEstimate(call, index),
    units: (args, costs) => measure(args[index] as CelValue, costs),
    emit: (_, operands) => sizeUnits(operands[index] as Operand),
  };
}

/**
 * Returns the term of a cost formula for the size of the operand with the given index. The size is measured as in Kubernetes' libraries and
 * the cel-go extensions.
 */
export const size = (index: number): PriceTerm => sizeBy(costSizeOf, index);
/**
 * Returns the term of a cost formula for the size of the operand with the given index. The size is measured as in cel-go's standard
 * functions. From 1.33 to 1.37, the size of an optional is the size of the value in it.
 */
export const standardSize = (index: number): PriceTerm => ({
  ...sizeBy((value, costs) => standardCostSizeOf(value, costs.optionalsAreUnwrapped), index),
  isStandard: true,
});

/** Returns a term of a cost formula whose value is the constant `units`. */
export function fixed(units: number): PriceTerm {
  const cost = exactly(BigInt(units));
  return { words: String(units), kind: 'atom', range: () => cost, units: () => units, emit: () => units };
}

/**
 * Returns the term `⌈factor × quantity⌉` of a cost formula. The value is computed in float64.
 *
 * @param scale Functions that generated code calls to compute the cost of a text from its length. Terms with the same `scale` share these
 * functions.
 */
export function scaled(factor: number, quantity: PriceTerm, scale = textScale(factor)): PriceTerm {
  const { units, isStandard } = quantity;
  return {
    words: `⌈${factor} × ${asFactor(quantity)}⌉`,
    kind: 'atom',
    isStandard,
    range: (call) => (isExact(quantity, call) ? scaleRangeExactly : scaleRange)(quantity.range(call), factor),
    units: (args, costs) => Math.ceil(units(args, costs) * factor),
    emit: (site, operands) => {
      const inner = quantity.emit(site, operands);
      return inner === undefined ? undefined : scaledUnits(site, inner, factor, scale);
    },
  };
}

/**
 * Returns the cost term `times × quantity`. The estimate of this term is computed in float64 like in upstream, so that values beyond 2^53
 * are rounded.
 */
export function rounded(quantity: PriceTerm, times = 1): PriceTerm {
  const repeated = times === 1 ? quantity : product(fixed(times), quantity);
  return { ...repeated, range: (call) => (isExact(quantity, call) ? repeated.range(call) : scaleRange(quantity.range(call), times)) };
}

const isExact = ({ isStandard }: PriceTerm, { costs }: EstimatedCall): boolean => isStandard === true && costs.costsAreModelled;

/**
 * Returns a cost-formula term for the sum of the given terms. Its displayed formula, compile-time estimate, run-time value and generated
 * code are all sums.
 */
export function sum(...parts: readonly [PriceTerm, ...PriceTerm[]]): PriceTerm {
  const [first, ...rest] = parts;
  return rest.reduce(
    (a, b) => ({
      words: `${a.words} + ${b.words}`,
      kind: 'sum',
      isStandard: a.isStandard === true || b.isStandard === true,
      range: (call) => addRanges(a.range(call), b.range(call)),
      units: (args, costs) => a.units(args, costs) + b.units(args, costs),
      emit: both(a, b, addedUnits),
    }),
    first,
  );
}

/**
 * Returns a cost-formula term for the product of two terms. Its displayed formula, compile-time estimate, run-time value and generated code
 * are all products.
 */
export function product(a: PriceTerm, b: PriceTerm): PriceTerm {
  return {
    words: `${asFactor(a)} × ${asFactor(b)}`,
    kind: 'product',
    isStandard: a.isStandard === true || b.isStandard === true,
    range: (call) => multiplyRanges(a.range(call), b.range(call)),
    units: (args, costs) => a.units(args, costs) * b.units(args, costs),
    emit: both(a, b, multipliedUnits),
  };
}

/**
 * Returns a term of a cost formula that is the minimum of two terms. As in upstream, the static estimate of the minimum is a range from 1
 * to the smaller of the two terms' maxima. If the smaller maximum is 0, the estimate is 0.
 */
export function shorter(a: PriceTerm, b: PriceTerm): PriceTerm {
  return {
    words: `min(${a.words}, ${b.words})`,
    kind: 'atom',
    range: (call) => {
      const [left, right] = [a.range(call).max, b.range(call).max];
      const max = left < right ? left : right;
      return range(max > 0n ? 1n : 0n, max);
    },
    units: (args, costs) => Math.min(a.units(args, costs), b.units(args, costs)),
    emit: both(a, b, shorterUnits),
  };
}

/**
 * Returns a term of a cost formula whose estimate ranges from the minimum of `least` to the maximum of `most`. Its value at run time is that
 * of `most`.
 */
export function between(least: PriceTerm, most: PriceTerm): PriceTerm {
  return { ...most, range: (call) => range(least.range(call).min, most.range(call).max) };
}

/** Returns an emitter that combines the code of two terms with `put`. It returns undefined if either term has no code for the operands. */
function both(a: PriceTerm, b: PriceTerm, put: (site: CodeSite, a: Units, b: Units) => Units): EmitUnits {
  return (site, operands) => {
    const [left, right] = [a.emit(site, operands), b.emit(site, operands)];
    return left === undefined || right === undefined ? undefined : put(site, left, right);
  };
}

const asFactor = ({ words, kind }: PriceTerm): string => (kind === 'sum' ? `(${words})` : words);

/**
 * Returns the function that estimates the static cost of calls of one CEL function. `cost` is the formula of the estimated cost.
 *
 * `result.size` is the formula of the result's size. `result.entriesOf` contains the indices of the operands whose entries appear in the
 * result list or map.
 */
export function estimateOf(cost: PriceTerm, result: { readonly size?: PriceTerm; readonly entriesOf?: readonly number[] } = {}): Estimate {
  const { size, entriesOf } = result;
  const formulas: EstimateFormulas = {
    cost: always(cost.words),
    ...(size && { resultSize: always(size.words) }),
    ...(cost.isStandard === true && { unknownIsUnlimited: (costs) => costs.costsAreModelled }),
  };
  if (size === undefined) return statedEstimate(formulas, (call) => ({ cost: cost.range(call), entriesOf }));
  return statedEstimate(formulas, (call) => ({ cost: cost.range(call), resultSize: size.range(call), entriesOf }));
}

/** Returns the function that computes the run-time cost of a call with the given cost formula. */
export const measureOf = ({ words, units, emit }: PriceTerm): Measure => statedMeasure(words, (args, _, costs) => units(args, costs), emit);

/**
 * Returns the function `estimate`, which estimates the cost of a call, with `formula` as a property. `formula` contains the formulas of the
 * estimate as texts.
 */
export function statedEstimate(formulas: EstimateFormulas, estimate: (call: EstimatedCall) => CallEstimate): Estimate {
  return Object.assign(estimate, { formulas });
}

/**
 * Returns the run-time cost function `measure`, together with its formula as text (`formula`). `emit` is the function that generates code
 * which computes the cost, for some representations of the operands. It is absent if no such code exists.
 */
export function statedMeasure(
  formula: string | readonly Clause[] | FormulaText,
  measure: (args: readonly CelValue[], result: CelValue, costs: CostVersion) => number,
  emit?: EmitUnits,
): Measure {
  return Object.assign(measure, { formula: typeof formula === 'function' ? formula : always(formula), ...(emit && { emit }) });
}

/**
 * Returns a function that gives the same text of a cost formula for every minor version of the server. `formula` contains one formula, or
 * several formulas with the conditions under which they apply.
 */
export function always(formula: string | readonly Clause[]): FormulaText {
  const clauses = typeof formula === 'string' ? [{ formula }] : formula;
  return () => clauses;
}

/**
 * Returns a run-time cost function that chooses by the cost formulas of the Kubernetes minor version ({@link CostVersion}). It uses
 * `measure` if `holds` returns true for them, and `otherwise` if not.
 */
export function measureBy(holds: (costs: CostVersion) => boolean, measure: Measure, otherwise: Measure): Measure {
  return Object.assign(
    (args: readonly CelValue[], result: CelValue, costs: CostVersion) => (holds(costs) ? measure : otherwise)(args, result, costs),
    {
      formula: (costs: CostVersion) => (holds(costs) ? measure : otherwise).formula(costs),
      emit: (site: CodeSite, operands: readonly Operand[]) => (holds(site.costs) ? measure : otherwise).emit?.(site, operands),
    },
  );
}

/**
 * Combines two cost estimates of a CEL function. The returned estimate uses `estimate` if `holds` is true for the server's cost settings
 * ({@link CostVersion}), otherwise `otherwise`.
 */
export function estimateBy(holds: (costs: CostVersion) => boolean, estimate: Estimate, otherwise: Estimate): Estimate {
  const chosen = (costs: CostVersion): Estimate => (holds(costs) ? estimate : otherwise);
  const cost: FormulaText = (costs) => chosen(costs).formulas.cost(costs);
  const resultSize: FormulaText = (costs) => chosen(costs).formulas.resultSize?.(costs) ?? [];
  const knowsSize = estimate.formulas.resultSize !== undefined || otherwise.formulas.resultSize !== undefined;
  const unknownIsUnlimited = (costs: CostVersion): boolean => chosen(costs).formulas.unknownIsUnlimited?.(costs) === true;
  return statedEstimate({ cost, unknownIsUnlimited, ...(knowsSize && { resultSize }) }, (call) => chosen(call.costs)(call));
}
