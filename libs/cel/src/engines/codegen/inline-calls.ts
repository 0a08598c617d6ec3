import { codePointLength } from '#go';
import { ADDITION, DIVISION, MODULO, MULTIPLICATION, NEGATION, SUBTRACTION } from '../../library/standard/arithmetic.ts';
import { SIZE } from '../../library/standard/collections.ts';
import { LOGICAL_NOT } from '../../library/standard/logic.ts';
import { GREATER, GREATER_EQUALS, LESS, LESS_EQUALS } from '../../library/standard/ordering.ts';
import { CONTAINS, ENDS_WITH, STARTS_WITH } from '../../library/standard/string-tests.ts';
import { DIVISION_BY_ZERO, MODULUS_BY_ZERO } from '../../values/errors.ts';
import { joiningUnits, textUnits } from './cost-units.ts';
import { INLINE_INT_LISTS } from './int-lists.ts';
import { joined, js } from './javascript.ts';
import { INLINE_OPTIONALS } from './optionals.ts';
import { prove } from './raw-data.ts';
import { BOOL_SHAPE, DOUBLE_SHAPE, INT_SHAPE, isNumeric, STRING_SHAPE } from './shape.ts';
import type { FunctionDeclaration, Overload } from '../../library/define.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from './javascript.ts';
import type { Operand, Shape } from './shape.ts';

/**
 * Writes one overload as JavaScript instead of calling it; undefined for operands in another shape. A unit has been charged already for
 * overloads without a measure; the others charge here.
 */
export type InlineCall = (g: Generator, operands: readonly Operand[]) => Operand | undefined;

type Binary = (left: Fragment, right: Fragment) => Fragment;

const compute = (g: Generator, shape: Shape, expression: Fragment): Operand => ({ code: g.hold('value', expression), shape });

/** Int arithmetic stays within safe integers; beyond them the interpreter computes with bigint. */
function safeInt(g: Generator, expression: Fragment): Operand {
  const result = compute(g, INT_SHAPE, expression);
  g.writer.bail(js`!Number.isSafeInteger(${result.code})`);
  return result;
}

function onNumbers(onInts: (g: Generator, left: Fragment, right: Fragment) => Operand, onDoubles: Binary | undefined): InlineCall {
  return (g, [left, right]) => {
    if (left!.shape.kind === 'int' && right!.shape.kind === 'int') return onInts(g, left!.code, right!.code);
    if (left!.shape.kind !== 'double' || right!.shape.kind !== 'double' || onDoubles === undefined) return undefined;
    return compute(g, DOUBLE_SHAPE, onDoubles(left!.code, right!.code));
  };
}

const plus: Binary = (a, b) => js`${a} + ${b}`;
const minus: Binary = (a, b) => js`${a} - ${b}`;
const times: Binary = (a, b) => js`${a} * ${b}`;
const over: Binary = (a, b) => js`${a} / ${b}`;

const onNumbersPlus = onNumbers((g, a, b) => safeInt(g, plus(a, b)), plus);

const addition: InlineCall = (g, operands) => {
  const [left, right] = operands as readonly [Operand, Operand];
  if (left.shape.kind !== 'string' || right.shape.kind !== 'string') return onNumbersPlus(g, operands);
  g.writer.line(js`cost += ${g.constants.name(joiningUnits)}(${left.code}, ${right.code});`);
  return compute(g, STRING_SHAPE, plus(left.code, right.code));
};

const division = onNumbers((g, a, b) => {
  g.writer.fail(g.constants.name(DIVISION_BY_ZERO), js`${b} === 0`);
  return compute(g, INT_SHAPE, js`Math.trunc(${a} / ${b}) + 0`);
}, over);

const modulo = onNumbers((g, a, b) => {
  g.writer.fail(g.constants.name(MODULUS_BY_ZERO), js`${b} === 0`);
  return compute(g, INT_SHAPE, js`${a} % ${b} + 0`);
}, undefined);

const negation: InlineCall = (g, [operand]) => {
  if (operand!.shape.kind === 'int') return compute(g, INT_SHAPE, js`0 - ${operand!.code}`);
  return operand!.shape.kind === 'double' ? compute(g, DOUBLE_SHAPE, js`-${operand!.code}`) : undefined;
};

const not: InlineCall = (_, [operand]) => (operand!.shape.kind === 'bool' ? { code: js`!${operand!.code}`, shape: BOOL_SHAPE } : undefined);

/** Order of numbers, of one type or two; NaN has none. */
const ordering =
  (compare: Binary): InlineCall =>
  (g, [left, right]) => {
    if (!isNumeric(left!.shape) || !isNumeric(right!.shape)) return undefined;
    for (const { code, shape, constant } of [left!, right!]) {
      if (shape.kind === 'double' && constant === undefined) g.writer.bail(js`${code} !== ${code}`);
    }
    return { code: js`(${compare(left!.code, right!.code)})`, shape: BOOL_SHAPE };
  };

const size: InlineCall = (g, [operand]) => {
  const { code, shape } = operand!;
  switch (shape.kind) {
    case 'string':
      return compute(g, INT_SHAPE, js`${g.constants.name(codePointLength)}(${code})`);
    case 'rawList':
    case 'array':
      return { code: js`${code}.length`, shape: INT_SHAPE };
    case 'rawMap':
    case 'rawObject':
      prove(g, operand!);
      return compute(g, INT_SHAPE, js`Object.keys(${code}).length`);
    case 'value':
      return shape.type.kind === 'list' || shape.type.kind === 'map' ? { code: js`${code}.size`, shape: INT_SHAPE } : undefined;
    default:
      return undefined;
  }
};

/** Affixes of up to this many UTF-16 units are compared unit by unit, which V8 keeps inline. */
const SHORT_AFFIX = 12;

/** `startsWith` and `endsWith`, priced by the operand that the version says. */
const affixTest =
  (test: Binary, unitIndex: (text: Fragment, index: number, length: number) => Fragment): InlineCall =>
  (g, [text, affix]) => {
    if (text!.shape.kind !== 'string' || affix!.shape.kind !== 'string') return undefined;
    const priced = g.environment.costs.affixTestTraverses === 'argument' ? affix! : text!;
    chargeText(g, priced);
    if (typeof affix!.constant === 'string' && affix!.constant.length <= SHORT_AFFIX) {
      const constant = affix!.constant;
      const long = js`${text!.code}.length >= ${constant.length}`;
      const units = Array.from(
        { length: constant.length },
        (_, i) => js`${text!.code}.charCodeAt(${unitIndex(text!.code, i, constant.length)}) === ${constant.charCodeAt(i)}`,
      );
      return { code: js`(${joined([long, ...units], ' && ')})`, shape: BOOL_SHAPE };
    }
    return { code: js`${test(text!.code, affix!.code)}`, shape: BOOL_SHAPE };
  };

const contains: InlineCall = (g, [text, part]) => {
  if (text!.shape.kind !== 'string' || part!.shape.kind !== 'string') return undefined;
  const units = g.constants.name(textUnits);
  g.writer.line(js`cost += ${units}(${text!.code}) * ${units}(${part!.code});`);
  return { code: js`${text!.code}.includes(${part!.code})`, shape: BOOL_SHAPE };
};

function chargeText(g: Generator, { code, constant }: Operand): void {
  if (typeof constant === 'string') g.writer.charge(textUnits(constant));
  else g.writer.line(js`cost += ${g.constants.name(textUnits)}(${code});`);
}

const forAll = ({ overloads }: FunctionDeclaration, inline: InlineCall): (readonly [Overload, InlineCall])[] =>
  overloads.map((overload) => [overload, inline]);

/** The overloads that are written out. */
export const INLINE_CALLS: ReadonlyMap<Overload, InlineCall> = new Map([
  ...forAll(ADDITION, addition),
  ...forAll(
    SUBTRACTION,
    onNumbers((g, a, b) => safeInt(g, minus(a, b)), minus),
  ),
  ...forAll(
    MULTIPLICATION,
    onNumbers((g, a, b) => safeInt(g, js`${times(a, b)} + 0`), times),
  ),
  ...forAll(DIVISION, division),
  ...forAll(MODULO, modulo),
  ...forAll(NEGATION, negation),
  ...forAll(LOGICAL_NOT, not),
  ...forAll(
    LESS,
    ordering((a, b) => js`${a} < ${b}`),
  ),
  ...forAll(
    LESS_EQUALS,
    ordering((a, b) => js`${a} <= ${b}`),
  ),
  ...forAll(
    GREATER,
    ordering((a, b) => js`${a} > ${b}`),
  ),
  ...forAll(
    GREATER_EQUALS,
    ordering((a, b) => js`${a} >= ${b}`),
  ),
  ...forAll(SIZE, size),
  ...forAll(
    STARTS_WITH,
    affixTest(
      (text, affix) => js`${text}.startsWith(${affix})`,
      (_, i) => js`${i}`,
    ),
  ),
  ...forAll(
    ENDS_WITH,
    affixTest(
      (text, affix) => js`${text}.endsWith(${affix})`,
      (text, i, length) => js`${text}.length - ${length - i}`,
    ),
  ),
  ...forAll(CONTAINS, contains),
  ...INLINE_INT_LISTS,
  ...INLINE_OPTIONALS.flatMap(([declared, inline]) => forAll(declared, inline)),
]);
