import { LibraryValue } from '../library-value.ts';
import { EMPTY_TYPE } from '../types/type.ts';
import type { CelType, ObjectType } from '../types/type.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../value.ts';
import type { CelValue } from '../value.ts';

/** Value of a message literal `Name{field: value}`. */
export abstract class MessageValue extends LibraryValue {
  abstract override readonly celType: ObjectType;
  /** True if the message is the zero value of its type, which `optional.ofNonZeroValue` converts to an empty optional. */
  abstract readonly isZero: boolean;
  /**
   * Returns the value of an optional field access: `has(m.field)` or `m.?field`. If the result is an error, it ends the chain of field
   * accesses.
   */
  abstract find(key: CelValue): CelValue | undefined;
  /** Returns the value of a mandatory field access; undefined if the message type has no fields. */
  abstract get(key: CelValue): CelValue | undefined;
}

/**
 * Message type of CEL, as in the literal `Name{field: value}`: the CEL type of its literals, and the function that creates their values.
 */
export interface MessageType {
  readonly type: ObjectType;
  /**
   * CEL type of the values that the literals produce; undefined if it is `type`. Literals of some types become values of another CEL type,
   * such as an int for `google.protobuf.Int64Value`.
   */
  readonly valueType?: CelType;
  /** Returns the value of a literal with the given fields, or an error if the fields are invalid. */
  make(fields: ReadonlyMap<string, CelValue>): CelValue;
}

/** Function that returns the message type with a given name, or undefined if there is none. */
export type MessageTypes = (name: string) => MessageType | undefined;

/** Value of the literal `google.protobuf.Empty{}`, a message without fields. Source: cel-go common/types/object.go (v0.29.2). */
class EmptyMessage extends MessageValue {
  readonly celType = EMPTY_TYPE;
  readonly goType = '*types.protoObj';
  readonly isZero = true;

  find(key: CelValue): CelError {
    return typeof key === 'string' ? new CelError(`no such field '${key}'`) : NO_SUCH_OVERLOAD;
  }

  get(key: CelValue): CelError {
    return this.find(key);
  }

  equalTo(other: CelValue): boolean {
    return other instanceof EmptyMessage;
  }

  toString(): string {
    return '';
  }
}

/** The only value of the type `google.protobuf.Empty`. */
export const EMPTY = new EmptyMessage();
