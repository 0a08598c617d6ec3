import { LibraryValue } from '../library-value.ts';
import type { CelType, ObjectType } from '../types/type.ts';
import type { CelValue } from '../value.ts';

/** The value of a literal `Name{field: value}`. */
export abstract class MessageValue extends LibraryValue {
  abstract override readonly celType: ObjectType;
  /** True if it is the zero value of its type. */
  abstract readonly isZero: boolean;
  /** Returns the value of an optional step: `has(m.field)`, `m.?field`. An error ends the chain. */
  abstract find(key: CelValue): CelValue | undefined;
  /** Returns the value of a mandatory step; undefined if there are no fields. */
  abstract get(key: CelValue): CelValue | undefined;
}

/** A type that literals may be of. */
export interface MessageType {
  readonly type: ObjectType;
  /** The type of literals, if it is another one: that of a plain value. */
  readonly valueType?: CelType;
  /** The value of a literal, or what is wrong with its fields. */
  make(fields: ReadonlyMap<string, CelValue>): CelValue;
}

/** The type of literals of a name, where there is one. */
export type MessageTypes = (name: string) => MessageType | undefined;
