import type { CelType } from '../types/type.ts';
import type { CelError, CelValue, OpaqueValue } from './value.ts';

/** A value of a library type, such as an IP address or a quantity. What it holds is its library's business; equality and size are not. */
export abstract class LibraryValue implements OpaqueValue {
  abstract readonly celType: CelType;
  /** `this == other`: most types answer `no such overload` for a value of another type. */
  abstract equalTo(other: CelValue): boolean | CelError;
  /** Size as cost formulas take it; undefined for types without one. */
  get costSize(): number | undefined {
    return undefined;
  }
}
