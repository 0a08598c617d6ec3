import { addRanges, exactly, multiplyRanges, range, scaleRange, UNKNOWN_SIZE } from './range.ts';
import { addedUnits, multipliedUnits, scaledUnits, shorterUnits, sizeUnits, textScale } from './code/units.ts';
import { coreCostSizeOf, costSizeOf } from '../values/size.ts';
import type { CostRange, SizeRange } from './range.ts';
import type { Operand } from './code/shape.ts';
import type { CodeSite } from './code/site.ts';
import type { Units } from './code/units.ts';
import type { CelValue } from '../values/value.ts';
import type { CallEstimate, Clause, CostVersion, EmitUnits, Estimate, EstimatedCall, EstimateWords, Measure, Words } from './define.ts';

/** Names of operands in formulas: the receiver first. */
const OPERAND_NAMES = ['x', 'y', 'z', 'w'] as const;

/** Units or a size: one expression from which words, estimate, measure and generated code are taken. */
export interface PriceTerm {
  readonly words: string;
  /** Precedence of the words: a sum as a factor gets parentheses. */
  readonly kind: 'sum' | 'product' | 'atom';
  /** At compile time. */
  readonly range: (call: EstimatedCall) => CostRange;
  /** At run time. */
  readonly units: (args: readonly CelValue[], costs: CostVersion) => number;
  /** At run time, in generated code. */
  readonly emit: EmitUnits;
}

/** Returns the size of an operand, unknown sizes as all sizes. */
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

/** Returns the size of an operand, as Kubernetes' libraries and the extensions measure it. */
export const size = (index: number): PriceTerm => sizeBy(costSizeOf, index);
/** Returns the size of an operand, as cel-go's own functions measure it: an optional counts as the value it holds (since 1.33). */
export const coreSize = (index: number): PriceTerm => sizeBy((value, costs) => coreCostSizeOf(value, costs.optionalsAreUnwrapped), index);

/** Returns a number of units, whatever the call. */
export function fixed(units: number): PriceTerm {
  const cost = exactly(BigInt(units));
  return { words: String(units), kind: 'atom', range: () => cost, units: () => units, emit: () => units };
}

/**
 * Returns `⌈factor × quantity⌉`, in float64.
 *
 * @param scale how texts are priced by that factor; one that is shared is written once in generated code
 */
export function scaled(factor: number, quantity: PriceTerm, scale = textScale(factor)): PriceTerm {
  const { units } = quantity;
  return {
    words: `⌈${factor} × ${asFactor(quantity)}⌉`,
    kind: 'atom',
    range: (call) => scaleRange(quantity.range(call), factor),
    units: (args, costs) => Math.ceil(units(args, costs) * factor),
    emit: (site, operands) => {
      const inner = quantity.emit(site, operands);
      return inner === undefined ? undefined : scaledUnits(site, inner, factor, scale);
    },
  };
}

/** Returns `times × quantity` that upstream estimates in float64: beyond 2^53 the estimate is rounded. */
export function rounded(quantity: PriceTerm, times = 1): PriceTerm {
  const repeated = times === 1 ? quantity : product(fixed(times), quantity);
  return { ...repeated, range: (call) => scaleRange(quantity.range(call), times) };
}

/** Returns the sum of quantities, in words, estimate and measured units alike. */
export function sum(...parts: readonly [PriceTerm, ...PriceTerm[]]): PriceTerm {
  const [first, ...rest] = parts;
  return rest.reduce(
    (a, b) => ({
      words: `${a.words} + ${b.words}`,
      kind: 'sum',
      range: (call) => addRanges(a.range(call), b.range(call)),
      units: (args, costs) => a.units(args, costs) + b.units(args, costs),
      emit: both(a, b, addedUnits),
    }),
    first,
  );
}

/** Returns the product of two quantities, in words, estimate and measured units alike. */
export function product(a: PriceTerm, b: PriceTerm): PriceTerm {
  return {
    words: `${asFactor(a)} × ${asFactor(b)}`,
    kind: 'product',
    range: (call) => multiplyRanges(a.range(call), b.range(call)),
    units: (args, costs) => a.units(args, costs) * b.units(args, costs),
    emit: both(a, b, multipliedUnits),
  };
}

/** Returns the smaller one; upstream estimates from nothing at all, where it is known to be empty, or from 1. */
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

/** Returns the code of two quantities put together, where both have one. */
function both(a: PriceTerm, b: PriceTerm, put: (site: CodeSite, a: Units, b: Units) => Units): EmitUnits {
  return (site, operands) => {
    const [left, right] = [a.emit(site, operands), b.emit(site, operands)];
    return left === undefined || right === undefined ? undefined : put(site, left, right);
  };
}

const asFactor = ({ words, kind }: PriceTerm): string => (kind === 'sum' ? `(${words})` : words);

/** Returns the static price of a quantity, with the size of the result and where its entries come from. */
export function estimateOf(cost: PriceTerm, result: { readonly size?: PriceTerm; readonly entriesOf?: readonly number[] } = {}): Estimate {
  const { size, entriesOf } = result;
  const words = { cost: always(cost.words), ...(size && { resultSize: always(size.words) }) };
  if (size === undefined) return statedEstimate(words, (call) => ({ cost: cost.range(call), entriesOf }));
  return statedEstimate(words, (call) => ({ cost: cost.range(call), resultSize: size.range(call), entriesOf }));
}

/** Returns the run-time price of a quantity. */
export const measureOf = ({ words, units, emit }: PriceTerm): Measure => statedMeasure(words, (args, _, costs) => units(args, costs), emit);

/** Returns an estimate written by hand, with its words beside it. */
export function statedEstimate(words: EstimateWords, estimate: (call: EstimatedCall) => CallEstimate): Estimate {
  return Object.assign(estimate, { words });
}

/** Returns a measure written by hand, with its words beside it; `emit` where generated code knows it for some shapes. */
export function statedMeasure(
  words: string | readonly Clause[] | Words,
  measure: (args: readonly CelValue[], result: CelValue, costs: CostVersion) => number,
  emit?: EmitUnits,
): Measure {
  return Object.assign(measure, { words: typeof words === 'function' ? words : always(words), ...(emit && { emit }) });
}

/** Words of a formula that is the same in all minors. */
export function always(words: string | readonly Clause[]): Words {
  const clauses = typeof words === 'string' ? [{ formula: words }] : words;
  return () => clauses;
}

/** Returns one formula in minors of which something holds, another one in the others. */
export function measureBy(holds: (costs: CostVersion) => boolean, measure: Measure, otherwise: Measure): Measure {
  return Object.assign(
    (args: readonly CelValue[], result: CelValue, costs: CostVersion) => (holds(costs) ? measure : otherwise)(args, result, costs),
    {
      words: (costs: CostVersion) => (holds(costs) ? measure : otherwise).words(costs),
      emit: (site: CodeSite, operands: readonly Operand[]) => (holds(site.costs) ? measure : otherwise).emit?.(site, operands),
    },
  );
}

/** Returns the same as {@link measureBy}, for estimates. */
export function estimateBy(holds: (costs: CostVersion) => boolean, estimate: Estimate, otherwise: Estimate): Estimate {
  const chosen = (costs: CostVersion): Estimate => (holds(costs) ? estimate : otherwise);
  const cost: Words = (costs) => chosen(costs).words.cost(costs);
  const resultSize: Words = (costs) => chosen(costs).words.resultSize?.(costs) ?? [];
  const knowsSize = estimate.words.resultSize !== undefined || otherwise.words.resultSize !== undefined;
  return statedEstimate(knowsSize ? { cost, resultSize } : { cost }, (call) => chosen(call.costs)(call));
}
