import { Float } from '#go';
import { equalValues } from '../equality.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { formatValue } from '../format-value.ts';
import { doubleOf, isInt, isList, isMap, textOf } from '../type-of.ts';
import { DYN, STRING } from '../types/type.ts';
import type { ObjectType } from '../types/type.ts';
import { CelError, Duration, Timestamp, Uint } from '../value.ts';
import type { CelValue } from '../value.ts';
import { MessageValue } from './message-value.ts';
import type { MessageType } from './message-value.ts';

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
export const JSON_PATCH_TYPE: MessageType = {
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
