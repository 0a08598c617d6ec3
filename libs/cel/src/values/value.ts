import type { Float, JsonObject } from '#go';
import type { ValueSchema } from './schema/value-schema.ts';
import type { CelType } from './types/type.ts';

/**
 * A CEL value at run time. Scalars follow the JSON model of `#kube`. An int is an integral number if it is safe, else a
 * bigint. A double is a fractional, NaN or infinite number, or a Float if it is integral. So data with a plain schema
 * needs no conversion.
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

/** uint64. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** An instant: seconds since the epoch and 0 … 999,999,999 nanoseconds. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  /** Seconds east of UTC of the zone it was written in; only its text shows it. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** int64 nanoseconds. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** `noSuchOverload`: the arguments fit no signature. `costLimitExceeded`, `interrupted`: the evaluation was ended. */
export type CelErrorCode = 'noSuchOverload' | 'costLimitExceeded' | 'interrupted' | 'other';

/** An evaluation error as a value. `message` is upstream's text; `id` the node it belongs to where the text or cost needs it. */
export class CelError {
  readonly message: string;
  /** Kind of the error, for callers that need it. */
  readonly code: CelErrorCode;
  constructor(message: string, code: CelErrorCode = 'other') {
    this.message = message;
    this.code = code;
  }

  /** True for errors that no `||` may absorb: they end the evaluation. */
  get fatal(): boolean {
    return this.code === 'costLimitExceeded' || this.code === 'interrupted';
  }
}

/** optional.of(v), or optional.none() when `value` is undefined. */
export class Optional {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value: `type(x)`, `int`. */
export class TypeValue {
  readonly type: CelType;
  /** Its run-time name, as the server's minor calls it. */
  readonly name: string;
  constructor(type: CelType, name: string) {
    this.type = type;
    this.name = name;
  }
}

/** A value of a library type: IP, CIDR, Quantity, Semver, URL, named format. */
export interface OpaqueValue {
  readonly celType: CelType;
}

/**
 * A list. CEL made it (`elements` are CelValues, `schema` undefined), or it is a view of raw data under its schema,
 * which wraps elements on reading. The list types set and map change equality and `+`
 * (k8s.io/apiserver/pkg/cel/common/valuesunstructured.go).
 */
export interface CelList {
  readonly kind: 'list';
  readonly size: number;
  readonly schema: ValueSchema | undefined;
  /** The Go type that holds it upstream, where that is not told by the rest. */
  readonly goType?: string;
  at(index: number): CelValue;
}

/** A map or object: made by CEL, or a view of raw data (`raw` set), under its schema where it has one. */
export interface CelMap {
  readonly kind: 'map';
  readonly size: number;
  readonly schema: ValueSchema | undefined;
  readonly raw: JsonObject | undefined;
  /** The Go type that holds it upstream, where that is not told by the rest. */
  readonly goType?: string;
  /** The value under a key, or undefined when absent. Keys compare as CEL compares numbers. */
  get(key: CelValue): CelValue | undefined;
  keys(): Iterable<CelValue>;
}
