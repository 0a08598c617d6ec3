import type { FunctionDeclaration, Overload, PlainCall } from './define.ts';
import { IN, INDEX, SIZE } from './standard/collections.ts';
import { CONVERSIONS } from './standard/conversions.ts';
import { EQUALS, GREATER, GREATER_EQUALS, LESS, LESS_EQUALS, NOT_EQUALS } from './standard/relations.ts';
import { CONDITIONAL, LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR, NOT_STRICTLY_FALSE } from './standard/logic.ts';
import { CONTAINS, ENDS_WITH, MATCHES, STARTS_WITH } from './standard/string-tests.ts';
import {
  GET_DATE,
  GET_DAY_OF_MONTH,
  GET_DAY_OF_WEEK,
  GET_DAY_OF_YEAR,
  GET_FULL_YEAR,
  GET_HOURS,
  GET_MILLISECONDS,
  GET_MINUTES,
  GET_MONTH,
  GET_SECONDS,
} from './standard/timestamps.ts';
import { add, divide, modulo, multiply, negate, subtract } from '../values/arithmetic.ts';
import { noSuchOverload } from '../values/value.ts';
import type { CelValue } from '../values/value.ts';
import { BYTES, DOUBLE, DURATION, INT, listOf, STRING, TIMESTAMP, typeParameter, UINT } from '../values/types/type.ts';
import type { CelType } from '../values/types/type.ts';
import type { InlineCall } from './code/site.ts';
import { OPERATOR } from './names.ts';
import {
  inlineAddition,
  inlineDivision,
  inlineModulo,
  inlineMultiplication,
  inlineNegation,
  inlineSubtraction,
} from './code/arithmetic.ts';
import { withContext } from './define.ts';
import { scan } from './formulas.ts';
import { bounded, globalOverload, linear } from './overload.ts';
import { standardSize, estimateOf, fixed, measureOf, sum } from './price.ts';

const LIST_OF_A = listOf(typeParameter('A'));

type BinaryCall = (a: CelValue, b: CelValue) => CelValue;
const binary = (implementation: BinaryCall): PlainCall => implementation;
const ADD = withContext(add);
const SUBTRACT = binary(subtract);

/** Returns the overloads of an operator on two numbers of the same type, one for each type in `types`. */
function onNumbers(
  verb: string,
  types: readonly (readonly [name: string, type: CelType])[],
  call: PlainCall,
  inline: InlineCall,
): Overload[] {
  return types.map(([name, type]) => globalOverload(`${verb}_${name}`, [type, type], type, { call, inline }));
}

/** Size of a concatenation: the sum of the sizes of both operands. */
const JOINED = sum(standardSize(0), standardSize(1));
const joins = { size: JOINED, entriesOf: [0, 1] };
const COPY = linear('cel-go common/types/string.go, bytes.go `Add` (v0.29.2)');
const copiesBoth = { estimate: estimateOf(scan(JOINED), joins), measure: measureOf(scan(JOINED)) };

const ADDITION: FunctionDeclaration = {
  name: OPERATOR.add,
  library: 'standard',
  doc: 'Sum of numbers and of times, concatenation of strings, bytes and lists.',
  examples: [
    "b'hi' + bytes('ya') == b'hiya'",
    '3.0 + 1.5 == 4.5',
    "duration('1m') + duration('1s') == duration('1m1s')",
    "timestamp('2023-01-01T00:00:00Z') + duration('24h1m2s') == timestamp('2023-01-02T00:01:02Z')",
    '1 + 2 == 3',
    '[1] + [2, 3] == [1, 2, 3]',
    ["'Hello, ' + 'world!'", "'Hello, world!'"],
  ],
  guard: 'adder',
  overloads: [
    globalOverload('add_bytes', [BYTES, BYTES], BYTES, { ...copiesBoth, growth: COPY, call: ADD, inline: inlineAddition }),
    globalOverload('add_double', [DOUBLE, DOUBLE], DOUBLE, { call: ADD, inline: inlineAddition }),
    globalOverload('add_duration_duration', [DURATION, DURATION], DURATION, { call: ADD, inline: inlineAddition }),
    globalOverload('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP, { call: ADD, inline: inlineAddition }),
    globalOverload('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, { call: ADD, inline: inlineAddition }),
    globalOverload('add_int64', [INT, INT], INT, { call: ADD, inline: inlineAddition }),
    globalOverload('add_list', [LIST_OF_A, LIST_OF_A], LIST_OF_A, {
      estimate: estimateOf(fixed(1), joins),
      growth: bounded('cel-go common/types/list.go `Add` (v0.29.2)'),
      call: ADD,
      inline: inlineAddition,
    }),
    globalOverload('add_string', [STRING, STRING], STRING, { ...copiesBoth, growth: COPY, call: ADD, inline: inlineAddition }),
    globalOverload('add_uint64', [UINT, UINT], UINT, { call: ADD, inline: inlineAddition }),
  ],
};

const ALL_NUMBERS = [
  ['double', DOUBLE],
  ['int64', INT],
  ['uint64', UINT],
] as const;

const DIVISION: FunctionDeclaration = {
  name: OPERATOR.divide,
  library: 'standard',
  doc: 'Quotient of two numbers of one type. For integers, it is rounded towards zero.',
  examples: ['7.0 / 2.0 == 3.5', '10 / 3 == 3', '42u / 2u == 21u'],
  guard: 'divider',
  overloads: onNumbers('divide', ALL_NUMBERS, binary(divide), inlineDivision),
};

const MODULO: FunctionDeclaration = {
  name: OPERATOR.modulo,
  library: 'standard',
  doc: 'Remainder of an integer division, with the sign of the dividend.',
  examples: ['3 % 2 == 1', '-3 % 2 == -1', '6u % 3u == 0u'],
  guard: 'modder',
  overloads: onNumbers('modulo', ALL_NUMBERS.slice(1), binary(modulo), inlineModulo),
};

const MULTIPLICATION: FunctionDeclaration = {
  name: OPERATOR.multiply,
  library: 'standard',
  doc: 'Product of two numbers of one type.',
  examples: ['3.5 * 40.0 == 140.0', '-2 * 6 == -12', '13u * 3u == 39u'],
  guard: 'multiplier',
  overloads: onNumbers('multiply', ALL_NUMBERS, binary(multiply), inlineMultiplication),
};

const NEGATE: PlainCall = (value) => (typeof value === 'boolean' ? noSuchOverload(value) : negate(value));

const NEGATION: FunctionDeclaration = {
  name: OPERATOR.negate,
  library: 'standard',
  doc: 'The number with its sign changed.',
  examples: ['-(3.5) == -3.5', '-(5) == -5'],
  guard: 'negator',
  overloads: [
    globalOverload('negate_double', [DOUBLE], DOUBLE, { call: NEGATE, inline: inlineNegation }),
    globalOverload('negate_int64', [INT], INT, { call: NEGATE, inline: inlineNegation }),
  ],
};

const SUBTRACTION: FunctionDeclaration = {
  name: OPERATOR.subtract,
  library: 'standard',
  doc: 'Difference of two numbers of one type, or of times.',
  examples: [
    '10.5 - 2.0 == 8.5',
    "duration('1m') - duration('1s') == duration('59s')",
    '5 - 3 == 2',
    "timestamp('2023-01-10T12:00:00Z') - duration('12h') == timestamp('2023-01-10T00:00:00Z')",
    "timestamp('2023-01-10T12:00:00Z') - timestamp('2023-01-10T00:00:00Z') == duration('12h')",
    '42u - 3u == 39u',
  ],
  guard: 'subtractor',
  overloads: [
    globalOverload('subtract_double', [DOUBLE, DOUBLE], DOUBLE, { call: SUBTRACT, inline: inlineSubtraction }),
    globalOverload('subtract_duration_duration', [DURATION, DURATION], DURATION, { call: SUBTRACT, inline: inlineSubtraction }),
    globalOverload('subtract_int64', [INT, INT], INT, { call: SUBTRACT, inline: inlineSubtraction }),
    globalOverload('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, { call: SUBTRACT, inline: inlineSubtraction }),
    globalOverload('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION, { call: SUBTRACT, inline: inlineSubtraction }),
    globalOverload('subtract_uint64', [UINT, UINT], UINT, { call: SUBTRACT, inline: inlineSubtraction }),
  ],
};

/** Declarations of the standard library and the operators, in the order of cel-go common/stdlib/standard.go (v0.29.2). */
export const STANDARD_FUNCTIONS: readonly FunctionDeclaration[] = [
  CONDITIONAL,
  LOGICAL_AND,
  LOGICAL_OR,
  LOGICAL_NOT,
  NOT_STRICTLY_FALSE,
  EQUALS,
  NOT_EQUALS,
  ADDITION,
  DIVISION,
  MODULO,
  MULTIPLICATION,
  NEGATION,
  SUBTRACTION,
  LESS,
  LESS_EQUALS,
  GREATER,
  GREATER_EQUALS,
  INDEX,
  IN,
  SIZE,
  ...CONVERSIONS,
  CONTAINS,
  ENDS_WITH,
  STARTS_WITH,
  MATCHES,
  GET_FULL_YEAR,
  GET_MONTH,
  GET_DAY_OF_YEAR,
  GET_DAY_OF_MONTH,
  GET_DATE,
  GET_DAY_OF_WEEK,
  GET_HOURS,
  GET_MINUTES,
  GET_SECONDS,
  GET_MILLISECONDS,
];
