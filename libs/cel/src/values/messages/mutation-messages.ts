import { Float } from '#go';
import { equalValues } from '../equality.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { formatValue } from '../format-value.ts';
import { LibraryValue } from '../library-value.ts';
import { ArrayList } from '../list.ts';
import { EntryMap } from '../map.ts';
import { doubleOf, isInt, isList, isMap, textOf } from '../type-of.ts';
import { DYN, STRING } from '../types/type.ts';
import type { ObjectType } from '../types/type.ts';
import { CelError, Duration, Optional, Timestamp, TypeValue, Uint } from '../value.ts';
import type { CelValue } from '../value.ts';
import { MessageValue } from './message-value.ts';
import type { MessageType, MessageTypes } from './message-value.ts';
import { WELL_KNOWN_MESSAGES } from './well-known-messages.ts';

/**
 * Message types whose literals can occur in the expressions of a mutating admission policy, such as `Object{…}` and `JSONPatch{…}`. Source:
 * k8s.io/apiserver/pkg/cel/mutation/typeresolver.go (1.37).
 */
export const MUTATION_MESSAGES: MessageTypes = (name) => {
  if (name === 'JSONPatch') return JSON_PATCH_TYPE;
  return name === 'Object' || name.startsWith('Object.') ? objectLiteralType(name) : WELL_KNOWN_MESSAGES(name);
};

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
function objectLiteralType(name: string): MessageType {
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

const TEXT_FIELDS = ['op', 'path', 'from'] as const;
type TextField = (typeof TEXT_FIELDS)[number];

const isTextField = (name: CelValue): name is TextField => TEXT_FIELDS.some((field) => field === name);

const TYPE: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  fields: new Map([...TEXT_FIELDS.map((name) => [name, STRING] as const), ['value', DYN]]),
};

/** Value of a literal `JSONPatch{op: …, path: …, from: …, value: …}`. Source: k8s.io/apiserver/pkg/cel/mutation/jsonpatch.go (1.37). */
export class JsonPatchLiteral extends MessageValue {
  readonly celType = TYPE;
  readonly goType = '*mutation.JSONPatchVal';
  readonly isZero = false;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** Value of the field `value`; undefined if the literal does not set the field. */
  readonly value: CelValue | undefined;

  constructor(texts: Readonly<Record<TextField, string>>, value: CelValue | undefined) {
    super();
    this.op = texts.op;
    this.path = texts.path;
    this.from = texts.from;
    this.value = value;
  }

  find(key: CelValue): CelValue | undefined {
    if (isTextField(key)) return this[key] === '' ? undefined : this[key];
    return key === 'value' ? this.value : new CelError(`unsupported field: ${formatValue(key)}`);
  }

  get(key: CelValue): CelValue {
    if (isTextField(key)) return this[key];
    return key === 'value' ? (this.value ?? null) : new CelError(`unsupported indexer: ${formatValue(key)}`);
  }

  equalTo(other: CelValue, context: EvaluationContext): boolean | CelError {
    if (!(other instanceof JsonPatchLiteral) || TEXT_FIELDS.some((field) => this[field] !== other[field])) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equalValues(context, this.value, other.value);
  }

  toString(): string {
    return this.celType.name;
  }
}

/** Returns the Go type, as `%T` prints it, of the native Go value to which a CEL value is converted. */
function nativeTypeName(value: CelValue): string {
  if (value === null) return 'structpb.NullValue';
  if (isInt(value)) return 'int64';
  if (value instanceof Float || doubleOf(value) !== undefined) return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Timestamp) return 'time.Time';
  if (value instanceof Duration) return 'time.Duration';
  if (value instanceof Uint8Array) return '[]uint8';
  if (isList(value)) return value.schema === undefined ? '[]ref.Val' : '[]interface {}';
  return isMap(value) && value.raw === undefined ? 'map[ref.Val]ref.Val' : 'map[string]interface {}';
}

/** Message type of JSON patch operations. */
const JSON_PATCH_TYPE: MessageType = {
  type: TYPE,
  make(fields) {
    const texts = { op: '', path: '', from: '' };
    for (const name of TEXT_FIELDS) {
      const value = fields.get(name);
      if (value === undefined) continue;
      const text = textOf(value);
      if (text === undefined) return new CelError(`unexpected type ${nativeTypeName(value)} for JSONPatchType '${name}' field`);
      texts[name] = text;
    }
    return new JsonPatchLiteral(texts, fields.get('value'));
  },
};
