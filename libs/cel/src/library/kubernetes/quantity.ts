import {
  addQuantities,
  compareQuantities,
  floatValue,
  formatQuantity,
  integerQuantity,
  intValue,
  parseQuantity,
  quantityFloat64,
  quantityInt64,
  quantitySign,
  subtractQuantities,
} from '#go';
import type { Quantity, QuantityResult, QuantityRules } from '#go';
import { CelError, noSuchOverload } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { LibraryValue } from '../../values/library-value.ts';
import { BOOL, DOUBLE, INT, objectType, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { FunctionDeclaration, Overload, PlainCall } from '../define.ts';
import { nominal, oneUnit, scanOf, scansFirst } from '../formulas.ts';
import { dated, globalOverload, memberOverload, quadratic } from '../overload.ts';
import { memoizeShort } from '../../values/text.ts';

const QUANTITY_TYPE = objectType('kubernetes.Quantity');
/** Minor number of the compatibility version that introduced the quantity library. */
const since = 28;

/** CEL value of a Kubernetes resource quantity. */
class QuantityValue extends LibraryValue {
  readonly celType = QUANTITY_TYPE;
  readonly goType = 'cel.Quantity';
  readonly quantity: Quantity;
  /**
   * True if `add` or `sub` produced this quantity. Upstream stores such a result as a pointer, and its `==` returns false if the right
   * operand is a pointer.
   */
  readonly computed: boolean;
  constructor(quantity: Quantity, origin: 'parsed' | 'computed') {
    super();
    this.quantity = quantity;
    this.computed = origin === 'computed';
  }
  equalTo(other: CelValue): boolean | CelError {
    if (!(other instanceof QuantityValue) || other.computed) return noSuchOverload(other);
    return compareQuantities(this.quantity, other.quantity) === 0;
  }
  toString(): string {
    return formatQuantity(this.quantity);
  }
}

const quantityOf = (value: CelValue | undefined): Quantity => (value as QuantityValue).quantity;

type ReadQuantity = (text: string) => QuantityResult;
const reading = (rules: QuantityRules): ReadQuantity => memoizeShort((text) => parseQuantity(text, rules));
const readQuantity = reading('bounded');
/** Parses quantities like servers before 1.38. */
const readExactly = reading('exact');

const toQuantity =
  (read: ReadQuantity): PlainCall =>
  (text) => {
    const parsed = read(text as string);
    return parsed.ok ? new QuantityValue(parsed.quantity, 'parsed') : new CelError(parsed.error);
  };

const isQuantity =
  (read: ReadQuantity): PlainCall =>
  (text) =>
    read(text as string).ok;

function toInteger(quantity: Quantity): CelValue {
  const value = quantityInt64(quantity);
  return value === undefined ? new CelError('cannot convert value to integer') : intValue(value);
}

type Combine = (a: Quantity, b: Quantity) => Quantity;
const growth = quadratic(
  'Go math/big/natconv.go `scan`, natmul.go (1.26), which k8s.io/apimachinery/pkg/api/resource/quantity.go calls (1.37)',
);
const priced = { since, estimate: nominal, measure: oneUnit, growth };
const read = { since, estimate: scanOf(0), measure: scansFirst, growth };

function method(id: string, parameters: readonly CelType[], result: CelType, call: PlainCall): Overload {
  return memberOverload(id, [QUANTITY_TYPE, ...parameters], result, { ...priced, call });
}

/**
 * Returns the two overloads of an arithmetic method. The right operand is a quantity in the first overload and an int in the second
 * overload.
 */
function combination(id: string, combine: Combine): Overload[] {
  return [
    method(id, [QUANTITY_TYPE], QUANTITY_TYPE, (a, b) => new QuantityValue(combine(quantityOf(a), quantityOf(b)), 'computed')),
    method(
      `${id}_int`,
      [INT],
      QUANTITY_TYPE,
      (a, b) => new QuantityValue(combine(quantityOf(a), integerQuantity(BigInt(b as number | bigint), quantityOf(a).rules)), 'computed'),
    ),
  ];
}

const declare = (declaration: Omit<FunctionDeclaration, 'library'>): FunctionDeclaration => ({
  library: 'kubernetes.quantity',
  measure: oneUnit,
  ...declaration,
});

/** Declarations of the functions on resource quantities. Source: k8s.io/apiserver/pkg/cel/library/quantity.go (1.38). */
export const QUANTITY_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare({
    name: 'quantity',
    doc: 'A quantity from its text.',
    examples: ["quantity('50k').compareTo(quantity('50000')) == 0"],
    overloads: dated(globalOverload('string_to_quantity', [STRING], QUANTITY_TYPE, { ...read, call: toQuantity(readQuantity) }), [
      { replacedIn: '1.38', parts: { call: toQuantity(readExactly) } },
    ]),
    measure: scansFirst,
  }),
  declare({
    name: 'isQuantity',
    doc: 'True if a text is a quantity.',
    examples: ["isQuantity('1.3G')", "!isQuantity('1,3G')"],
    overloads: dated(globalOverload('is_quantity_string', [STRING], BOOL, { ...read, call: isQuantity(readQuantity) }), [
      { replacedIn: '1.38', parts: { call: isQuantity(readExactly) } },
    ]),
    measure: scansFirst,
  }),
  declare({
    name: 'sign',
    doc: '-1, 0 or 1: the sign of a quantity.',
    examples: ["sign(quantity('-3k')) == -1"],
    overloads: [globalOverload('quantity_sign', [QUANTITY_TYPE], INT, { ...priced, call: (value) => quantitySign(quantityOf(value)) })],
  }),
  declare({
    name: 'isGreaterThan',
    doc: 'True if a quantity is greater than another.',
    examples: ["quantity('200M').isGreaterThan(quantity('50k'))"],
    overloads: [method('quantity_is_greater_than', [QUANTITY_TYPE], BOOL, (a, b) => compareQuantities(quantityOf(a), quantityOf(b)) === 1)],
  }),
  declare({
    name: 'isLessThan',
    doc: 'True if a quantity is less than another.',
    examples: ["quantity('50k').isLessThan(quantity('200M'))"],
    overloads: [method('quantity_is_less_than', [QUANTITY_TYPE], BOOL, (a, b) => compareQuantities(quantityOf(a), quantityOf(b)) === -1)],
  }),
  declare({
    name: 'compareTo',
    doc: '-1, 0 or 1 if a quantity is less than, equal to or greater than another.',
    examples: ["quantity('200M').compareTo(quantity('0.2G')) == 0"],
    overloads: [method('quantity_compare_to', [QUANTITY_TYPE], INT, (a, b) => compareQuantities(quantityOf(a), quantityOf(b)))],
  }),
  declare({
    name: 'asApproximateFloat',
    doc: 'The quantity as a double, with loss of digits.',
    examples: ["quantity('50.703k').asApproximateFloat() == 50703.0"],
    overloads: [method('quantity_get_float', [], DOUBLE, (value) => floatValue(quantityFloat64(quantityOf(value))))],
  }),
  declare({
    name: 'asInteger',
    doc: 'The quantity as an int; an error if it is no int.',
    examples: ["quantity('50000000G').asInteger() == 50000000000000000"],
    overloads: [method('quantity_get_int', [], INT, (value) => toInteger(quantityOf(value)))],
  }),
  declare({
    name: 'isInteger',
    doc: 'True if `asInteger` would succeed.',
    examples: ["quantity('50k').isInteger()", "!quantity('50.5').isInteger()"],
    overloads: [method('quantity_is_integer', [], BOOL, (value) => quantityInt64(quantityOf(value)) !== undefined)],
  }),
  declare({
    name: 'add',
    doc: 'The sum of a quantity and another quantity or an int.',
    examples: ["quantity('50k').add(quantity('20')) == quantity('50020')", "quantity('50k').add(20) == quantity('50020')"],
    overloads: combination('quantity_add', addQuantities),
  }),
  declare({
    name: 'sub',
    doc: 'The difference of a quantity and another quantity or an int.',
    examples: ["quantity('50k').sub(quantity('20')) == quantity('49980')", "quantity('50k').sub(20) == quantity('49980')"],
    overloads: combination('quantity_sub', subtractQuantities),
  }),
];
