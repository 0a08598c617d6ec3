import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from '../../values/convert.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, typeOf, typeParameter, UINT } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { EXPANSION } from '../names.ts';
import type { FunctionDeclaration, Growth, Overload, PlainCall } from '../define.ts';
import { withContext } from '../define.ts';
import { standardScansFirst, scan, scanEstimate } from '../formulas.ts';
import { bounded, globalOverload, linear } from '../overload.ts';
import { always, between, standardSize, estimateBy, estimateOf, scaled, sizeEstimate, statedEstimate } from '../price.ts';

const A = typeParameter('A');
const identity: PlainCall = (value) => value;
const unary = (convert: (value: CelValue) => CelValue): PlainCall => convert;

const FIRST = standardSize(0);
const FIRST_SCAN = scan(FIRST);
/** Estimate of `bytes(string)` before 1.38: upstream multiplies without saturation, so that an unknown size wraps around. */
const wrappingBytes = statedEstimate({ cost: standardScansFirst.formula, resultSize: always('(4 × size(x)) mod 2^64') }, (call) => {
  const size = sizeEstimate(call, 0);
  return { cost: scanEstimate(size), resultSize: { min: size.min, max: BigInt.asUintN(64, size.max * 4n) } };
});
/** Estimate of `string(bytes)` before 1.38. */
const shorterText = statedEstimate({ cost: standardScansFirst.formula, resultSize: always('size(x)') }, (call) => {
  const size = sizeEstimate(call, 0);
  return { cost: scanEstimate(size), resultSize: { min: size.min / 4n, max: size.max } };
});

const IDENTITY = bounded('cel-go common/stdlib/standard.go `identity` (v0.29.2)');
const CONVERSION = linear('cel-go common/types/string.go, bytes.go `ConvertToType` (v0.29.2)');

/**
 * Returns the growth of a conversion. Undefined if the source type is neither string nor bytes, because values of all other types have no
 * size.
 */
function growthOf(from: CelType, to: CelType): Growth | undefined {
  if (from !== STRING && from !== BYTES) return undefined;
  return from === to ? IDENTITY : CONVERSION;
}

/**
 * Returns the overloads of a conversion to `target`, one for each source type. If the source type is `target`, the value is returned
 * unchanged.
 */
function conversions(
  target: CelType,
  convert: (value: CelValue) => CelValue,
  sources: readonly (readonly [id: string, type: CelType, dates?: Pick<Overload, 'replacedIn'>])[],
): Overload[] {
  return sources.map(([id, type, dates]) => ({
    ...globalOverload(id, [type], target, { call: type === target ? identity : unary(convert), growth: growthOf(type, target) }),
    ...dates,
  }));
}

const TYPE: FunctionDeclaration = {
  name: 'type',
  library: 'standard',
  doc: 'The type of a value.',
  examples: ['type(1) == int', "type('hello') == string", 'type(int) == type'],
  guard: 'any',
  overloads: [globalOverload('type', [A], typeOf(A), { growth: IDENTITY, call: withContext(toType) })],
};

const BOOL_CONVERSION: FunctionDeclaration = {
  name: 'bool',
  library: 'standard',
  doc: 'A bool from its text.',
  examples: ['bool(true)', "bool('true')", "!bool('false')"],
  overloads: conversions(BOOL, toBool, [
    ['bool_to_bool', BOOL],
    ['string_to_bool', STRING],
  ]),
};

const BYTES_CONVERSION: FunctionDeclaration = {
  name: 'bytes',
  library: 'standard',
  doc: 'The UTF-8 bytes of a string.',
  examples: ["bytes('hello') == b'hello'"],
  overloads: [
    globalOverload('bytes_to_bytes', [BYTES], BYTES, { growth: IDENTITY, call: identity }),
    globalOverload('string_to_bytes', [STRING], BYTES, {
      estimate: estimateBy(
        (costs) => costs.costsAreModelled,
        estimateOf(FIRST_SCAN, { size: between(FIRST, scaled(4, FIRST)) }),
        wrappingBytes,
      ),
      measure: standardScansFirst,
      growth: CONVERSION,
      call: unary(toBytes),
    }),
  ],
};

const DOUBLE_CONVERSION: FunctionDeclaration = {
  name: 'double',
  library: 'standard',
  doc: 'A number, or its text, as a double.',
  examples: ['double(123) == 123.0', "double('1.23') == 1.23", 'double(123u) == 123.0'],
  overloads: conversions(DOUBLE, toDouble, [
    ['double_to_double', DOUBLE],
    ['int64_to_double', INT],
    ['string_to_double', STRING],
    ['uint64_to_double', UINT],
  ]),
};

const DURATION_CONVERSION: FunctionDeclaration = {
  name: 'duration',
  library: 'standard',
  literalArgument: 'call',
  doc: 'A duration from its text, such as `1h30m` or `-1.5s`. The largest unit is the hour.',
  examples: ["duration('1h2m3s') == duration('3723s')"],
  overloads: conversions(DURATION, toDuration, [
    ['duration_to_duration', DURATION],
    // Upstream declares this overload, but has no implementation for it.
    ['int64_to_duration', INT, { replacedIn: '1.37' }],
    ['string_to_duration', STRING],
  ]),
};

const DYN_CONVERSION: FunctionDeclaration = {
  name: EXPANSION.dyn,
  library: 'standard',
  doc: 'The value itself. The compiler does not check its type any more.',
  examples: ['dyn(1) == 1.0'],
  guard: 'any',
  overloads: [globalOverload('to_dyn', [A], DYN, { growth: IDENTITY, call: identity })],
};

const INT_CONVERSION: FunctionDeclaration = {
  name: 'int',
  library: 'standard',
  doc: 'A number, or its text, as an int, rounded towards zero. A timestamp becomes seconds since the epoch, a duration nanoseconds.',
  examples: [
    'int(123.45) == 123',
    "int('-456') == -456",
    "int(timestamp('1970-01-01T00:00:01Z')) == 1",
    'int(123u) == 123',
    "int(duration('1s')) == 1000000000",
  ],
  overloads: conversions(INT, toInt, [
    ['int64_to_int64', INT],
    ['double_to_int64', DOUBLE],
    ['duration_to_int64', DURATION],
    ['string_to_int64', STRING],
    ['timestamp_to_int64', TIMESTAMP],
    ['uint64_to_int64', UINT],
  ]),
};

const STRING_CONVERSION: FunctionDeclaration = {
  name: 'string',
  library: 'standard',
  doc: 'The text of a value. Bytes must be UTF-8. A duration becomes seconds, a timestamp a text of RFC 3339.',
  examples: [
    ["string(b'hello')", "'hello'"],
    ['string(-1.5)', "'-1.5'"],
    ["string(duration('1h30m'))", "'5400s'"],
    ["string(timestamp('1970-01-01T00:00:00Z'))", "'1970-01-01T00:00:00Z'"],
  ],
  overloads: [
    globalOverload('string_to_string', [STRING], STRING, { growth: IDENTITY, call: identity }),
    globalOverload('bool_to_string', [BOOL], STRING, { call: unary(toText) }),
    globalOverload('bytes_to_string', [BYTES], STRING, {
      estimate: estimateBy(
        (costs) => costs.costsAreModelled,
        estimateOf(FIRST_SCAN, { size: between(scaled(0.25, FIRST), FIRST) }),
        shorterText,
      ),
      measure: standardScansFirst,
      growth: CONVERSION,
      call: unary(toText),
    }),
    globalOverload('double_to_string', [DOUBLE], STRING, { call: unary(toText) }),
    globalOverload('duration_to_string', [DURATION], STRING, { call: unary(toText) }),
    globalOverload('int64_to_string', [INT], STRING, { call: unary(toText) }),
    globalOverload('timestamp_to_string', [TIMESTAMP], STRING, { call: unary(toText) }),
    globalOverload('uint64_to_string', [UINT], STRING, { call: unary(toText) }),
  ],
};

const TIMESTAMP_CONVERSION: FunctionDeclaration = {
  name: 'timestamp',
  library: 'standard',
  literalArgument: 'call',
  doc: 'A timestamp from RFC 3339 text or from seconds since the epoch, within years 1 to 9999.',
  examples: ["timestamp(1) == timestamp('1970-01-01T00:00:01Z')"],
  overloads: conversions(TIMESTAMP, toTimestamp, [
    ['timestamp_to_timestamp', TIMESTAMP],
    ['int64_to_timestamp', INT],
    ['string_to_timestamp', STRING],
  ]),
};

const UINT_CONVERSION: FunctionDeclaration = {
  name: 'uint',
  library: 'standard',
  doc: 'A number, or its text, as a uint, rounded down.',
  examples: ['uint(123.45) == 123u', "uint('123') == 123u"],
  overloads: conversions(UINT, toUint, [
    ['uint64_to_uint64', UINT],
    ['double_to_uint64', DOUBLE],
    ['int64_to_uint64', INT],
    ['string_to_uint64', STRING],
  ]),
};

/**
 * Declarations of the functions that convert a value to another type. Source: cel-go common/overloads/overloads.go
 * `IsTypeConversionFunction` (v0.29.2).
 */
export const CONVERSIONS: readonly FunctionDeclaration[] = [
  TYPE,
  BOOL_CONVERSION,
  BYTES_CONVERSION,
  DOUBLE_CONVERSION,
  DURATION_CONVERSION,
  DYN_CONVERSION,
  INT_CONVERSION,
  STRING_CONVERSION,
  TIMESTAMP_CONVERSION,
  UINT_CONVERSION,
].map((declared) => ({ ...declared, folds: true }));
