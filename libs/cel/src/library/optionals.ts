import { Float } from '#go';
import { formatValue } from '../values/format-value.ts';
import { ArrayList } from '../values/list.ts';
import { doubleOf, isInt, isList, isMap } from '../values/type-of.ts';
import { isTyped } from '../values/typed-view.ts';
import { NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { MessageValue } from '../values/messages/message-value.ts';
import { NONE } from '../values/optional-none.ts';
import { CelError, Duration, Optional, Timestamp, Uint } from '../values/value.ts';
import type { CelList, CelValue } from '../values/value.ts';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, STRING, typeParameter } from '../values/types/type.ts';
import { js } from './code/javascript.ts';
import { NONE_SHAPE } from './code/shape.ts';
import { testPresence } from './code/site.ts';
import type { InlineCall } from './code/site.ts';
import { EXPANSION, OPERATOR } from './names.ts';
import { withContext } from './define.ts';
import type { FunctionDeclaration, Overload, PlainCall, PlannedKind } from './define.ts';
import { free } from './formulas.ts';
import { globalOverload, memberOverload } from './overload.ts';
import { bounded, linear } from './growth.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const OPTIONAL = optionalOf(V);
/** Compatibility version of the optional library. */
const since = 28;
/** `first`, `last` and unwrapping came with cel-go 0.23. */
const LIST_FUNCTIONS = { since, binarySince: '1.33' } as const;

const HOLDING = bounded('cel-go cel/library.go `optionalLib`, common/types/optional.go (v0.29.2)');

const NO_VALUE = new CelError('optional.none() dereference');

/** Planned as part of a chain, or as a choice between operands: never called. */
const PLANNED: PlainCall = () => NO_SUCH_OVERLOAD;

/** Year 1, where Go's zero time stands. */
const ZERO_TIME_SECONDS = -62_135_596_800;

/** Whether a value is the zero of its type; types without one are never zero. Source: the `IsZeroValue` methods of cel-go common/types. */
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

const named = (
  name: string,
  doc: string,
  examples: FunctionDeclaration['examples'],
  overloads: readonly Overload[],
  planned?: PlannedKind,
): FunctionDeclaration => ({
  name,
  library: 'optionals',
  doc,
  examples,
  overloads,
  ...(planned && { planned }),
});

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

/** Optional values. Source: cel-go cel/library.go `optionalLib` (v0.29.2). */
export const OPTIONAL_FUNCTIONS: readonly FunctionDeclaration[] = [
  named(
    EXPANSION.optionalOf,
    'An optional that holds the value.',
    ['optional.of(1).value() == 1'],
    [globalOverload('optional_of', [V], OPTIONAL, { since, growth: HOLDING, call: (value) => new Optional(value), inline: inlineOf })],
  ),
  named(
    'optional.ofNonZeroValue',
    'An optional that holds the value, or none when the value is null, false, zero or empty.',
    ["!optional.ofNonZeroValue('').hasValue()", "optional.ofNonZeroValue('hello').hasValue()"],
    [
      globalOverload('optional_ofNonZeroValue', [V], OPTIONAL, {
        since,
        growth: HOLDING,
        call: (value) => (isZero(value) ? NONE : new Optional(value)),
      }),
    ],
  ),
  named(
    EXPANSION.optionalNone,
    'The optional without a value.',
    ['!optional.none().hasValue()'],
    [
      globalOverload('optional_none', [], OPTIONAL, {
        since,
        variadic: true,
        call: () => NONE,
        inline: () => ({ code: js`undefined`, shape: NONE_SHAPE }),
      }),
    ],
  ),
  named(
    EXPANSION.value,
    'The value of an optional; an error when there is none.',
    ['optional.of(1).value() == 1'],
    [
      memberOverload('optional_value', [OPTIONAL], V, {
        since,
        growth: HOLDING,
        call: (optional) => valueOf(optional as Optional),
        inline: inlineValue,
      }),
    ],
  ),
  named(
    EXPANSION.hasValue,
    'Whether an optional holds a value.',
    ['optional.of({1: 2}).hasValue()'],
    [
      memberOverload('optional_hasValue', [OPTIONAL], BOOL, {
        since,
        growth: HOLDING,
        call: (optional) => (optional as Optional).value !== undefined,
        inline: inlineHasValue,
      }),
    ],
  ),
  named(
    'or',
    'The first of two optionals that holds a value; the second is evaluated only when needed.',
    ['optional.none().or(optional.of(1)).value() == 1'],
    [memberOverload('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, { since, measure: free, call: PLANNED })],
    'optionalOr',
  ),
  named(
    'orValue',
    'The value of an optional, or the given one when there is none.',
    ["{'a': 'b'}[?'c'].orValue('you') == 'you'"],
    [memberOverload('optional_orValue_value', [OPTIONAL, V], V, { since, measure: free, call: PLANNED })],
    'optionalOrValue',
  ),
  named(
    OPERATOR.optionalSelect,
    'The field of an object as an optional, none when it is not set.',
    ["{'a': 1}.?b.orValue(2) == 2"],
    [globalOverload('select_optional_field', [DYN, STRING], OPTIONAL, { since, growth: HOLDING, call: PLANNED })],
    'optionalIndex',
  ),
  named(
    OPERATOR.optionalIndex,
    'The element or entry as an optional, none when there is none.',
    ['[1, 2, 3][?5].orValue(0) == 0', "{'a': 1}[?'a'].value() == 1"],
    [
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
    'optionalIndex',
  ),
  named(
    'last',
    'The last element of a list, none when it is empty.',
    ['[1, 2, 3].last().value() == 3', '![].last().hasValue()'],
    [memberOverload('list_last', [listOf(V)], OPTIONAL, { ...LIST_FUNCTIONS, growth: HOLDING, call: elementAt((size) => size - 1) })],
  ),
  named(
    'first',
    'The first element of a list, none when it is empty.',
    ['[1, 2, 3].first().value() == 1'],
    [memberOverload('list_first', [listOf(V)], OPTIONAL, { ...LIST_FUNCTIONS, growth: HOLDING, call: elementAt(() => 0) })],
  ),
  named(
    'optional.unwrap',
    'The values of those optionals that hold one.',
    ['optional.unwrap([optional.of(1), optional.none()]) == [1]'],
    [
      globalOverload('optional_unwrap', [listOf(OPTIONAL)], listOf(V), {
        ...LIST_FUNCTIONS,
        growth: linear('cel-go cel/library.go `optUnwrap` (v0.29.2)'),
        call: unwrap,
      }),
    ],
  ),
  named(
    'unwrapOpt',
    'The values of those optionals that hold one.',
    ['[optional.of(1), optional.none()].unwrapOpt() == [1]'],
    [
      memberOverload('optional_unwrapOpt', [listOf(OPTIONAL)], listOf(V), {
        ...LIST_FUNCTIONS,
        growth: linear('cel-go cel/library.go `optUnwrap` (v0.29.2)'),
        call: unwrap,
      }),
    ],
  ),
];
