import type { EvaluationContext } from './evaluation-context.ts';
import type { CelType } from './types/type.ts';
import { noSuchOverload } from './errors.ts';
import type { CelError, CelValue, OpaqueValue } from './value.ts';

/**
 * Value of a library type, such as an IP address or a quantity. The library defines the content of the value. Equality, size and text have
 * an interface that all library types share.
 */
export abstract class LibraryValue implements OpaqueValue {
  abstract readonly celType: CelType;
  /** Name of the Go type that represents the value upstream. */
  abstract readonly goType: string;
  /** Returns `this == other`. A value of another type is `no such overload`, unless the library type defines another rule. */
  abstract equalTo(other: CelValue, context: EvaluationContext): boolean | CelError;
  /** Returns the text of the value in the notation that its library parses. */
  abstract toString(): string;
  /** True if Go can use the value as a map key. Otherwise a map look-up with this value panics upstream. */
  get isHashable(): boolean {
    return true;
  }
  /** Size of the value in cost formulas; undefined for types without a size. */
  get costSize(): number | undefined {
    return undefined;
  }
}

/** Compares a value with another value of the same library type. Returns `no such overload` if `other` has another type. */
export function equalWithin<T extends LibraryValue>(
  kind: abstract new (...args: never[]) => T,
  other: CelValue,
  same: (other: T) => boolean,
): boolean | CelError {
  return other instanceof kind ? same(other) : noSuchOverload(other);
}
