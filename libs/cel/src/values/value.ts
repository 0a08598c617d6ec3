import { floatValue, intValue } from '#go';
import type { Float, JsonObject } from '#go';
import type { ValueSchema } from './schema/value-schema.ts';
import type { CelType } from './types/type.ts';

/**
 * CEL value at run time.
 *
 * Scalars have the same form as in `JsonValue` of `#go`. An int is a number if it is a safe integer, and otherwise a bigint. A double is a
 * number if it is fractional, NaN or infinite, and a `Float` if it is integral. Therefore, JSON data whose schema requires no special CEL
 * type needs no conversion.
 */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | Float
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | CelList
  | CelMap
  | OpaqueValue
  | Optional
  | TypeValue
  | CelError;

/** CEL value of type uint, a uint64. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** CEL value of type timestamp: seconds since the Unix epoch, and nanoseconds from 0 to 999,999,999. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  /** Offset of the zone in which the timestamp was written, in seconds east of UTC. It affects only the text of the timestamp. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** CEL value of type duration, in nanoseconds (int64). */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/**
 * Kind of an evaluation error. `noSuchOverload` means that the arguments fit no signature. `costLimitExceeded` and `interrupted` mean that
 * the evaluation was stopped.
 */
export type CelErrorCode = 'noSuchOverload' | 'costLimitExceeded' | 'interrupted' | 'other';

/** Evaluation error as a value. `message` is upstream's text. */
export class CelError {
  readonly message: string;
  /** Kind of the error, for callers that treat kinds differently. */
  readonly code: CelErrorCode;
  constructor(message: string, code: CelErrorCode = 'other') {
    this.message = message;
    this.code = code;
  }

  /** True if the error ends the evaluation (`costLimitExceeded` or `interrupted`), so that no `||` may absorb it. */
  get fatal(): boolean {
    return this.code === 'costLimitExceeded' || this.code === 'interrupted';
  }
}

/** CEL optional: `optional.of(v)`, or `optional.none()` if `value` is undefined. */
export class Optional {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** Type as a CEL value, such as `type(x)` or `int`. */
export class TypeValue {
  readonly type: CelType;
  /** Run-time name of the type in the server's minor version. */
  readonly name: string;
  constructor(type: CelType, name: string) {
    this.type = type;
    this.name = name;
  }
}

/** Value of a library type: IP, CIDR, Quantity, Semver, URL or named format. */
export interface OpaqueValue {
  readonly celType: CelType;
}

/**
 * CEL list. If CEL created the list, it holds CelValues, and its `schema` is undefined. If the list comes from an object, it is a view of
 * raw data under a schema, and wraps elements when they are read. Lists with the list type `set` or `map` have different rules for equality
 * and `+` (k8s.io/apiserver/pkg/cel/common/valuesunstructured.go).
 */
export interface CelList {
  readonly kind: 'list';
  readonly size: number;
  readonly schema: ValueSchema | undefined;
  /** Name of the Go type that represents the list upstream; undefined if the other properties of the list determine it. */
  readonly goType?: string;
  at(index: number): CelValue;
}

/**
 * CEL map or object. It is either a value that CEL created, or a view of the JSON data in `raw`. A view uses the schema of the data if
 * there is one.
 */
export interface CelMap {
  readonly kind: 'map';
  readonly size: number;
  readonly schema: ValueSchema | undefined;
  readonly raw: JsonObject | undefined;
  /** Name of the Go type that represents the map upstream; undefined if the other properties of the map determine it. */
  readonly goType?: string;
  /** Returns the value of a key, or undefined if the map has no such key. Numeric keys of different types are compared as by CEL's `==`. */
  get(key: CelValue): CelValue | undefined;
  keys(): Iterable<CelValue>;
}

/** Value of `optional.none()`. */
export const NONE = new Optional(undefined);

/** Error of a call for which no overload accepts the arguments. Source of the texts of these errors: cel-go common/types/err.go (v0.29.2). */
export const NO_SUCH_OVERLOAD = new CelError('no such overload', 'noSuchOverload');
export const INTEGER_OVERFLOW = new CelError('integer overflow');
export const UNSIGNED_INTEGER_OVERFLOW = new CelError('unsigned integer overflow');
export const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');
export const DIVISION_BY_ZERO = new CelError('division by zero');
export const MODULUS_BY_ZERO = new CelError('modulus by zero');
export const NAN_NOT_ORDERED = new CelError('NaN values cannot be ordered');

/** Returns `value` itself if it is an error, and the error `no such overload` if it is not. */
export function noSuchOverload(value: CelValue): CelError {
  return value instanceof CelError ? value : NO_SUCH_OVERLOAD;
}

/**
 * Exception for operations on which upstream's code panics. It ends the evaluation with `internal error: …`. Panics are reproduced because
 * the cost and the message of such an expression are part of the server's verdict.
 */
export class EvaluationPanic extends Error {}

/** Literal of an expression. Its int and uint values are bigint, and its `double` values are JavaScript numbers. */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** Returns the CEL value of a literal. */
export function constantValue(constant: Constant): CelValue {
  switch (constant.type) {
    case 'null':
      return null;
    case 'int':
      return intValue(constant.value);
    case 'uint':
      return new Uint(constant.value);
    case 'double':
      return floatValue(constant.value);
    case 'bool':
    case 'bytes':
    case 'string':
      return constant.value;
  }
}
