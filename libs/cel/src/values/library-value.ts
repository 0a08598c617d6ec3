import type { EvaluationContext } from './evaluation-context.ts';
import type { CelType } from './types/type.ts';
import { noSuchOverload } from './errors.ts';
import type { CelError, CelValue, OpaqueValue } from './value.ts';

/**
 * A value of a library type, such as an IP address or a quantity. Its library defines its content; equality, size and
 * text are common to all.
 */
export abstract class LibraryValue implements OpaqueValue {
  abstract readonly celType: CelType;
  /** The name of upstream's Go type. */
  abstract readonly goType: string;
  /** `this == other`: a value of another type is `no such overload`, unless the type says otherwise. */
  abstract equalTo(other: CelValue, context: EvaluationContext): boolean | CelError;
  /** The value as people write it. */
  abstract toString(): string;
  /** True if Go can look the value up in a map; otherwise it panics. */
  get isHashable(): boolean {
    return true;
  }
  /** Size as cost formulas take it; undefined for types without one. */
  get costSize(): number | undefined {
    return undefined;
  }
}

/** Returns the equality of values of one library type. */
export function equalWithin<T extends LibraryValue>(
  kind: abstract new (...args: never[]) => T,
  other: CelValue,
  same: (other: T) => boolean,
): boolean | CelError {
  return other instanceof kind ? same(other) : noSuchOverload(other);
}
