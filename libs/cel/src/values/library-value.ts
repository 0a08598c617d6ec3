import type { EvaluationContext } from './evaluation-context.ts';
import type { CelType } from './types/type.ts';
import { noSuchOverload } from './value.ts';
import type { CelError, CelValue, OpaqueValue } from './value.ts';

/**
 * Base class of library values, such as an IP address or a quantity. It declares equality, size and text, which all library types share.
 * Subclasses hold the content of the value.
 */
export abstract class LibraryValue implements OpaqueValue {
  abstract readonly celType: CelType;
  /** Name of the Go type that represents the value upstream. */
  abstract readonly goType: string;
  /**
   * Returns the result of `this == other`. If `other` has another type, the result is the error `no such overload`, unless the library type
   * defines another rule.
   */
  abstract equalTo(other: CelValue, context: EvaluationContext): boolean | CelError;
  /** Returns the text of the value in the notation that its library parses. */
  abstract toString(): string;
  /** True if Go can use the value as a map key. If it is false, a map look-up with this value panics upstream. */
  get isHashable(): boolean {
    return true;
  }
  /** Size of the value in cost formulas, such as the number of bytes of an IP address; undefined for types without a size. */
  get costSize(): number | undefined {
    return undefined;
  }
}

/** Returns `same(other)` if `other` is an instance of `kind`, else the error `no such overload`. */
export function equalWithin<T extends LibraryValue>(
  kind: abstract new (...args: never[]) => T,
  other: CelValue,
  same: (other: T) => boolean,
): boolean | CelError {
  return other instanceof kind ? same(other) : noSuchOverload(other);
}
