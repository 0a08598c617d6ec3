import { Float } from '#go';
import { formatValue } from '../values/format-value.ts';
import { ArrayList } from '../values/list.ts';
import { doubleOf, isInt, isList, isMap } from '../values/type-of.ts';
import { isTyped } from '../values/typed-view.ts';
import { CelError, Duration, NO_SUCH_OVERLOAD, NONE, Optional, Timestamp, Uint } from '../values/value.ts';
import type { CelList, CelValue } from '../values/value.ts';
import { MessageValue } from '../values/messages/message-value.ts';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, STRING, typeParameter } from '../values/types/type.ts';
import { js } from './code/javascript.ts';
import { NONE_SHAPE } from './code/shape.ts';
import { testPresence } from './code/site.ts';
import type { InlineCall } from './code/site.ts';
import { EXPANSION, OPERATOR } from './names.ts';
import { withContext } from './define.ts';
import type { FunctionDeclaration, PlainCall } from './define.ts';
import { free } from './formulas.ts';
import { bounded, globalOverload, linear, memberOverload } from './overload.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const OPTIONAL = optionalOf(V);
/** Minor number of the compatibility version that introduced the optional library. */
const since = 28;
/**
 * Versions that offer those functions of optionals that cel-go 0.23 introduced, such as `first` and `last`. Servers offer these functions
 * since 1.33.
 */
const LIST_FUNCTIONS = { since, binarySince: '1.33' } as const;

const HOLDING = bounded('cel-go cel/library.go `optionalLib`, common/types/optional.go (v0.29.2)');

const NO_VALUE = new CelError('optional.none() dereference');

/**
 * Placeholder implementation that is never called. The interpreter and the code generator plan these functions as a step in a chain of
 * selections, or as a choice between operands.
 */
const PLANNED: PlainCall = () => NO_SUCH_OVERLOAD;

/** Go's zero time, the beginning of year 1, in seconds relative to the Unix epoch. */
const ZERO_TIME_SECONDS = -62_135_596_800;

/**
 * Returns true if a value is the zero value of its type. Values of types without a zero value are never zero. Source: the `IsZeroValue`
 * methods of cel-go common/types.
 */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || (isInt(value) && value === 0)) return true;
  if (value instanceof Float || typeof value === 'number') return doubleOf(value) === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.seconds === ZERO_TIME_SECONDS && value.nanos === 0;
  if (value instanceof MessageValue) return value.isZero;
  return (isList(value) || isMap(value)) && value.schema === undefined && !isTyped(value) && value.size === 0;
}

function valueOf({ value }: Optional): CelValue {
  return value === undefined ? NO_VALUE : value;
}

const unwrap = withContext((context, list) => {
  const values: CelValue[] = [];
  const optionals = list as CelList;
  for (let i = 0; i < optionals.size; i++) {
    context.poll();
    const element = optionals.at(i);
    if (!(element instanceof Optional)) return new CelError(`value ${formatValue(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
});

function elementAt(index: (size: number) => number): PlainCall {
  return (list) => {
    const elements = list as CelList;
    return elements.size === 0 ? NONE : new Optional(elements.at(index(elements.size)));
  };
}

const named = (declaration: Omit<FunctionDeclaration, 'library'>): FunctionDeclaration => ({ library: 'optionals', ...declaration });

const DYN_OPTIONAL = optionalOf(DYN);

const inlineOf: InlineCall = (site, [operand]) => {
  const { code, shape } = operand!;
  if (shape.kind !== 'optional') return { code, shape: { kind: 'optional', of: shape } };
  return { code: site.hold('value', site.boxed(operand!)), shape: { kind: 'optional', of: { kind: 'value', type: DYN_OPTIONAL } } };
};

const inlineValue: InlineCall = (site, [optional]) => {
  const { code, shape } = optional!;
  if (shape.kind !== 'optional') return undefined;
  site.writer.fail(site.constants.name(NO_VALUE), js`${code} === undefined`);
  return { code, shape: shape.of, unproven: shape.of.kind === 'rawObject' };
};

const inlineHasValue: InlineCall = (site, [optional]) => (optional!.shape.kind === 'optional' ? testPresence(site, optional!) : undefined);

/** Declarations of the functions on optional values. Source: cel-go cel/library.go `optionalLib` (v0.29.2). */
export const OPTIONAL_FUNCTIONS: readonly FunctionDeclaration[] = [
  named({
    name: EXPANSION.optionalOf,
    doc: 'An optional with this value.',
    examples: ['optional.of(1).value() == 1'],
    overloads: [
      globalOverload('optional_of', [V], OPTIONAL, { since, growth: HOLDING, call: (value) => new Optional(value), inline: inlineOf }),
    ],
  }),
  named({
    name: EXPANSION.optionalOfNonZeroValue,
    doc: 'An optional with this value, or an empty one if the value is null, false, zero or empty.',
    examples: ["!optional.ofNonZeroValue('').hasValue()", "optional.ofNonZeroValue('hello').hasValue()"],
    overloads: [
      globalOverload('optional_ofNonZeroValue', [V], OPTIONAL, {
        since,
        growth: HOLDING,
        call: (value) => (isZero(value) ? NONE : new Optional(value)),
      }),
    ],
  }),
  named({
    name: EXPANSION.optionalNone,
    doc: 'An empty optional: it has no value.',
    examples: ['!optional.none().hasValue()'],
    overloads: [
      globalOverload('optional_none', [], OPTIONAL, {
        since,
        variadic: true,
        call: () => NONE,
        inline: () => ({ code: js`undefined`, shape: NONE_SHAPE }),
      }),
    ],
  }),
  named({
    name: EXPANSION.value,
    doc: 'The value of an optional; an error if the optional is empty.',
    examples: ['optional.of(1).value() == 1'],
    overloads: [
      memberOverload('optional_value', [OPTIONAL], V, {
        since,
        growth: HOLDING,
        call: (optional) => valueOf(optional as Optional),
        inline: inlineValue,
      }),
    ],
  }),
  named({
    name: EXPANSION.hasValue,
    doc: 'True if an optional has a value.',
    examples: ['optional.of({1: 2}).hasValue()'],
    overloads: [
      memberOverload('optional_hasValue', [OPTIONAL], BOOL, {
        since,
        growth: HOLDING,
        call: (optional) => (optional as Optional).value !== undefined,
        inline: inlineHasValue,
      }),
    ],
  }),
  named({
    name: 'or',
    doc: 'The first of two optionals that has a value. The second one is evaluated only if needed.',
    examples: ['optional.none().or(optional.of(1)).value() == 1'],
    overloads: [memberOverload('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, { since, measure: free, call: PLANNED })],
    planned: 'optionalOr',
  }),
  named({
    name: 'orValue',
    doc: 'The value of an optional, or the argument if the optional is empty.',
    examples: ["{'a': 'b'}[?'c'].orValue('you') == 'you'"],
    overloads: [memberOverload('optional_orValue_value', [OPTIONAL, V], V, { since, measure: free, call: PLANNED })],
    planned: 'optionalOrValue',
  }),
  named({
    name: OPERATOR.optionalSelect,
    doc: 'The field of an object as an optional, which is empty if the field is absent.',
    examples: ["{'a': 1}.?b.orValue(2) == 2"],
    overloads: [globalOverload('select_optional_field', [DYN, STRING], OPTIONAL, { since, growth: HOLDING, call: PLANNED })],
    planned: 'optionalIndex',
  }),
  named({
    name: OPERATOR.optionalIndex,
    doc: 'The element or entry as an optional, which is empty if there is none.',
    examples: ['[1, 2, 3][?5].orValue(0) == 0', "{'a': 1}[?'a'].value() == 1"],
    overloads: [
      globalOverload('list_optindex_optional_int', [listOf(V), INT], OPTIONAL, { since, growth: HOLDING, call: PLANNED }),
      globalOverload('optional_list_optindex_optional_int', [optionalOf(listOf(V)), INT], OPTIONAL, {
        since,
        growth: HOLDING,
        call: PLANNED,
      }),
      globalOverload('map_optindex_optional_value', [mapOf(K, V), K], OPTIONAL, { since, growth: HOLDING, call: PLANNED }),
      globalOverload('optional_map_optindex_optional_value', [optionalOf(mapOf(K, V)), K], OPTIONAL, {
        since,
        growth: HOLDING,
        call: PLANNED,
      }),
    ],
    planned: 'optionalIndex',
  }),
  named({
    name: 'last',
    doc: 'The last element of a list as an optional, which is empty for an empty list.',
    examples: ['[1, 2, 3].last().value() == 3', '![].last().hasValue()'],
    overloads: [
      memberOverload('list_last', [listOf(V)], OPTIONAL, { ...LIST_FUNCTIONS, growth: HOLDING, call: elementAt((size) => size - 1) }),
    ],
  }),
  named({
    name: 'first',
    doc: 'The first element of a list as an optional, which is empty for an empty list.',
    examples: ['[1, 2, 3].first().value() == 1'],
    overloads: [memberOverload('list_first', [listOf(V)], OPTIONAL, { ...LIST_FUNCTIONS, growth: HOLDING, call: elementAt(() => 0) })],
  }),
  named({
    name: 'optional.unwrap',
    doc: 'The values of all optionals of a list that are not empty.',
    examples: ['optional.unwrap([optional.of(1), optional.none()]) == [1]'],
    overloads: [
      globalOverload('optional_unwrap', [listOf(OPTIONAL)], listOf(V), {
        ...LIST_FUNCTIONS,
        growth: linear('cel-go cel/library.go `optUnwrap` (v0.29.2)'),
        call: unwrap,
      }),
    ],
  }),
  named({
    name: 'unwrapOpt',
    doc: 'The values of all optionals of a list that are not empty.',
    examples: ['[optional.of(1), optional.none()].unwrapOpt() == [1]'],
    overloads: [
      memberOverload('optional_unwrapOpt', [listOf(OPTIONAL)], listOf(V), {
        ...LIST_FUNCTIONS,
        growth: linear('cel-go cel/library.go `optUnwrap` (v0.29.2)'),
        call: unwrap,
      }),
    ],
  }),
];
