import { DIVISION_BY_ZERO, MODULUS_BY_ZERO } from '../../values/errors.ts';
import { js } from './javascript.ts';
import { DOUBLE_SHAPE, INT_SHAPE, STRING_SHAPE } from './shape.ts';
import { computed } from './site.ts';
import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';
import type { CodeSite, InlineCall } from './site.ts';

type Binary = (left: Fragment, right: Fragment) => Fragment;

/** Int arithmetic stays within safe integers; beyond them the interpreter computes with bigint. */
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

/** `a + b` on numbers and on strings. */
export const inlineAddition: InlineCall = (site, operands) => {
  const [left, right] = operands as readonly [Operand, Operand];
  if (left.shape.kind !== 'string' || right.shape.kind !== 'string') return addNumbers(site, operands);
  return computed(site, STRING_SHAPE, plus(left.code, right.code));
};

/** `a - b` of two ints or two doubles in JavaScript; an int that leaves the safe range is computed by the runtime. */
export const inlineSubtraction = onNumbers((site, a, b) => safeInt(site, minus(a, b)), minus);

/** `a * b`, as {@link inlineSubtraction}; `+ 0` turns JavaScript's −0 into the int 0. */
export const inlineMultiplication = onNumbers((site, a, b) => safeInt(site, js`${times(a, b)} + 0`), times);

/** `a / b`: ints truncate towards zero and fail with `division by zero`; doubles follow IEEE 754. */
export const inlineDivision = onNumbers((site, a, b) => {
  site.writer.fail(site.constants.name(DIVISION_BY_ZERO), js`${b} === 0`);
  return computed(site, INT_SHAPE, js`Math.trunc(${a} / ${b}) + 0`);
}, over);

/** `a % b` of ints, with the sign of the dividend; fails with `modulus by zero`. */
export const inlineModulo = onNumbers((site, a, b) => {
  site.writer.fail(site.constants.name(MODULUS_BY_ZERO), js`${b} === 0`);
  return computed(site, INT_SHAPE, js`${a} % ${b} + 0`);
}, undefined);

/** `-a` of an int or a double. */
export const inlineNegation: InlineCall = (site, [operand]) => {
  if (operand!.shape.kind === 'int') return computed(site, INT_SHAPE, js`0 - ${operand!.code}`);
  return operand!.shape.kind === 'double' ? computed(site, DOUBLE_SHAPE, js`-${operand!.code}`) : undefined;
};
