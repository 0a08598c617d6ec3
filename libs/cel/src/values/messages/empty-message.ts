import { NO_SUCH_OVERLOAD } from '../errors.ts';
import { EMPTY_TYPE } from '../types/type.ts';
import { CelError } from '../value.ts';
import type { CelValue } from '../value.ts';
import { MessageValue } from './message-value.ts';

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
