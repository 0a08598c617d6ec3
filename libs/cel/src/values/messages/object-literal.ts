import { Float } from '#go';
import { EntryMap } from '../map.ts';
import { ArrayList } from '../list.ts';
import { isList, isMap } from '../type-of.ts';
import type { ObjectType } from '../types/type.ts';
import { CelError, Optional, TypeValue } from '../value.ts';
import type { CelValue } from '../value.ts';
import { LibraryValue } from '../library-value.ts';
import { MessageValue } from './message-value.ts';
import type { MessageType } from './message-value.ts';

/**
 * Value of an object literal `Object{…}` or `Object.spec{…}`, which describes a part of an object. Any field can be set. If the checker
 * knows the type of the literal, an absent field reads as null. If the type is `dyn`, no field can be read. Source:
 * k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go (1.37).
 */
export class ObjectLiteral extends MessageValue {
  readonly celType: ObjectType;
  readonly goType = '*dynamic.ObjectVal';
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(celType: ObjectType, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.celType = celType;
    this.fields = fields;
  }

  get isZero(): boolean {
    return this.fields.size === 0;
  }

  find(): undefined {
    return undefined;
  }

  get(): undefined {
    return undefined;
  }

  /**
   * Returns the value of a field, or undefined if the literal does not set the field. Nested literals become maps, and library values
   * become an error.
   */
  readField(name: string): CelValue | undefined {
    const value = this.fields.get(name);
    return value === undefined ? undefined : asData(value);
  }

  equalTo(other: CelValue): boolean {
    if (!(other instanceof ObjectLiteral) || other.celType.name !== this.celType.name || other.fields.size !== this.fields.size)
      return false;
    return [...this.fields].every(([name, value]) => isIdentical(value, other.fields.get(name)));
  }

  toString(): string {
    return this.celType.name;
  }
}

/** Returns the message type of object literals with the given name. */
export function objectLiteralType(name: string): MessageType {
  const type: ObjectType = { kind: 'object', name, anyField: true };
  return { type, make: (fields) => new ObjectLiteral(type, fields) };
}

/**
 * Returns a field value in the form in which it is read from an object literal. Nested literals become maps, and types become their names.
 * An optional becomes the value it holds, or null if it is empty.
 */
function asData(value: CelValue): CelValue {
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Optional) return value.value === undefined ? null : asData(value.value);
  if (value instanceof ObjectLiteral) return dataMap([...value.fields]);
  if (value instanceof LibraryValue) return new CelError(`unsupported conversion to ref.Val: (${value.goType})${value.toString()}`);
  if (isList(value) && value.schema === undefined)
    return new ArrayList(Array.from({ length: value.size }, (_, index) => asData(value.at(index))));
  if (isMap(value) && value.raw === undefined) return dataMap([...value.keys()].map((key) => [key, value.get(key) ?? null]));
  return value;
}

function dataMap(entries: readonly (readonly [CelValue, CelValue])[]): CelValue {
  const map = new EntryMap();
  for (const [key, value] of entries) map.set(key, asData(value));
  return map;
}

/**
 * Returns true if two values are equal without conversion, as in Go's reflect.DeepEqual. `1` differs from `1.0`, and lists that expressions
 * create differ from all other lists.
 */
function isIdentical(a: CelValue, b: CelValue | undefined): boolean {
  if (a === b) return true;
  if (a instanceof Float) return b instanceof Float && a.value === b.value;
  if (a instanceof ObjectLiteral) return b instanceof ObjectLiteral && a.equalTo(b);
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return false;
  if (isMap(a) && isMap(b)) {
    return a.raw !== undefined && b.raw !== undefined
      ? a.raw === b.raw
      : a.size === b.size && [...a.keys()].every((key) => isIdentical(a.get(key) ?? null, b.get(key)));
  }
  return a.constructor === b.constructor && !isList(a) && String(a) === String(b);
}
