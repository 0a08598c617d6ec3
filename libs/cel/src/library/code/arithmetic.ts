import { DIVISION_BY_ZERO, MODULUS_BY_ZERO } from '../../values/value.ts';
import { js } from './javascript.ts';
import { DOUBLE_SHAPE, INT_SHAPE, STRING_SHAPE } from './shape.ts';
import { computed } from './site.ts';
import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';
import type { CodeSite, InlineCall } from './site.ts';

type Binary = (left: Fragment, right: Fragment) => Fragment;

/**
 * Emits code that computes the integer `expression`. If the result is beyond the safe range, the code returns undefined, and the
 * interpreter computes the result with bigint.
 */
function safeInt(site: CodeSite, expression: Fragment): Operand {
  const result = computed(site, INT_SHAPE, expression);
  site.writer.bail(js`!Number.isSafeInteger(${result.code})`);
  return result;
}

function onNumbers(onInts: (site: CodeSite, left: Fragment, right: Fragment) => Operand, onDoubles: Binary | undefined): InlineCall {
  return (site, [left, right]) => {
    if (left!.shape.kind === 'int' && right!.shape.kind === 'int') return onInts(site, left!.code, right!.code);
    if (left!.shape.kind !== 'double' || right!.shape.kind !== 'double' || onDoubles === undefined) return undefined;
    return computed(site, DOUBLE_SHAPE, onDoubles(left!.code, right!.code));
  };
}

const plus: Binary = (a, b) => js`${a} + ${b}`;
const minus: Binary = (a, b) => js`${a} - ${b}`;
const times: Binary = (a, b) => js`${a} * ${b}`;
const over: Binary = (a, b) => js`${a} / ${b}`;

const addNumbers = onNumbers((site, a, b) => safeInt(site, plus(a, b)), plus);

/** Emits `a + b` for numbers or strings. */
export const inlineAddition: InlineCall = (site, operands) => {
  const [left, right] = operands as readonly [Operand, Operand];
  if (left.shape.kind !== 'string' || right.shape.kind !== 'string') return addNumbers(site, operands);
  return computed(site, STRING_SHAPE, plus(left.code, right.code));
};

/**
 * Emits `a - b` for two ints or two doubles. If an int result is beyond the safe range, the code returns undefined, and the interpreter
 * computes the result.
 */
export const inlineSubtraction = onNumbers((site, a, b) => safeInt(site, minus(a, b)), minus);

/**
 * Emits `a * b` for two ints or two doubles. As in {@link inlineSubtraction}, the code returns undefined if an int result is beyond the
 * safe range. `+ 0` converts JavaScript's −0 to the int 0.
 */
export const inlineMultiplication = onNumbers((site, a, b) => safeInt(site, js`${times(a, b)} + 0`), times);

/** Emits `a / b`. Ints are truncated towards zero, and division by 0 fails with `division by zero`. Doubles follow IEEE 754. */
export const inlineDivision = onNumbers((site, a, b) => {
  site.writer.fail(site.constants.name(DIVISION_BY_ZERO), js`${b} === 0`);
  return computed(site, INT_SHAPE, js`Math.trunc(${a} / ${b}) + 0`);
}, over);

/** Emits `a % b` for ints. The result has the sign of `a`. If `b` is 0, the code fails with `modulus by zero`. */
export const inlineModulo = onNumbers((site, a, b) => {
  site.writer.fail(site.constants.name(MODULUS_BY_ZERO), js`${b} === 0`);
  return computed(site, INT_SHAPE, js`${a} % ${b} + 0`);
}, undefined);

/** Emits `-a` for an int or a double. */
export const inlineNegation: InlineCall = (site, [operand]) => {
  if (operand!.shape.kind === 'int') return computed(site, INT_SHAPE, js`0 - ${operand!.code}`);
  return operand!.shape.kind === 'double' ? computed(site, DOUBLE_SHAPE, js`-${operand!.code}`) : undefined;
};
