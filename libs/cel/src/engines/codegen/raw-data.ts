import { Float, IntColumn, TextColumn } from '#go';
import { isNoObject } from '../../library/code/site.ts';
import { withTypeAndObjectMeta } from '../../values/schema/value-schema.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import { CelError } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { DYN } from '../../values/types/type.ts';
import { js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE, DOUBLE_SHAPE, INT_SHAPE, STRING_SHAPE } from '../../library/code/shape.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/** Formats whose strings are converted to values of other CEL types. */
export const CONVERTED_FORMATS: ReadonlySet<string> = new Set(['byte', 'duration', 'date', 'date-time']);

/**
 * Emits code that tests whether raw data (an unconverted JSON value) has the type of its schema. Returns the operand that contains the
 * data. The data must not be absent. If it has another type, the emitted code returns undefined, and the interpreter evaluates the
 * expression. Other types are rare, because objects with type errors are usually rejected earlier.
 */
export function readRaw(g: Generator, raw: Fragment, schema: ValueSchema, type: CelType): Operand {
  if (g.columns.has(schema)) return readColumn(g, raw, schema);
  const shape = rawShape(schema, type);
  if (g.isValid && !schema.nullable && !schema.embeddedResource) {
    const known = readValid(raw, shape);
    if (known !== undefined) return known;
  }
  const { writer } = g;
  switch (shape.kind) {
    case 'bool':
    case 'string':
      writer.bail(shape.kind === 'bool' ? js`typeof ${raw} !== "boolean"` : js`typeof ${raw} !== "string"`);
      return { code: raw, shape };
    case 'int':
      writer.bail(js`!Number.isInteger(${raw})`);
      return { code: raw, shape };
    case 'double': {
      const float = g.constants.name(Float);
      const value = g.hold('value', js`${raw} instanceof ${float} ? ${raw}.value : ${raw}`);
      writer.bail(js`typeof ${value} !== "number"`);
      return { code: value, shape };
    }
    case 'rawList':
      writer.bail(js`!Array.isArray(${raw})`);
      return { code: raw, shape };
    case 'rawObject':
      writer.bail(js`${raw} === null`);
      return { code: raw, shape, unproven: true };
    case 'rawMap':
      writer.bail(js`${raw} === null || ${isNoObject(g, raw)}`);
      return { code: raw, shape };
    case 'array':
    case 'optional':
    case 'value':
    case 'intColumn':
    case 'textColumn':
    case 'counted':
      return readConverted(g, raw, schema, shape);
  }
}

/**
 * Returns an operand for data that is known to be valid under its schema. Returns undefined if the data must still be checked, for example
 * the range of an integer.
 */
function readValid(raw: Fragment, shape: Shape): Operand | undefined {
  switch (shape.kind) {
    case 'bool':
    case 'rawList':
    case 'rawObject':
    case 'rawMap':
      return { code: raw, shape };
    case 'string':
      return { code: raw, shape, isPlain: true };
    case 'array':
    case 'counted':
    case 'double':
    case 'int':
    case 'intColumn':
    case 'optional':
    case 'textColumn':
    case 'value':
      return undefined;
  }
}

/** Returns true if valid data always contains the field, because the field is required or has a default. */
export function isKnownField(g: Generator, object: ValueSchema, name: string): boolean {
  const field = object.properties?.get(name);
  if (!g.isValid || field === undefined || field.nullable || object.embeddedResource) return false;
  return field.default !== undefined || object.required.includes(name);
}

/**
 * Emits a read of a list that is stored in a column (a long list of scalars that is read in place). The code returns undefined if the list
 * is stored in another form.
 */
function readColumn(g: Generator, raw: Fragment, { items }: ValueSchema): Operand {
  const areInts = items?.type === 'integer';
  g.writer.bail(js`!(${raw} instanceof ${g.constants.name(areInts ? IntColumn : TextColumn)})`);
  return { code: raw, shape: { kind: areInts ? 'intColumn' : 'textColumn' } };
}

/**
 * Names of properties that JavaScript scalars, arrays and floats also have. Raw objects have no prototype, so they have a property with
 * such a name only if it occurs in the data.
 */
const SHARED_PROPERTIES: ReadonlySet<string> = new Set(
  [Object, String, Number, Boolean, BigInt, Symbol, Array, Float, Function]
    .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    .concat('length', 'name', 'value'),
);

/**
 * Returns true if JavaScript values other than raw JSON objects may also have a property with this name, such as `length`. If so, the
 * presence of the property does not prove that a value is an object.
 */
export function isSharedProperty(name: string): boolean {
  return SHARED_PROPERTIES.has(name) || /^\d/.test(name);
}

/** Emits the conversion of bytes, times and int-or-string values to CEL values. The results are the same as in the interpreter. */
function readConverted(g: Generator, raw: Fragment, schema: ValueSchema, shape: Shape): Operand {
  if (schema.intOrString) {
    g.writer.bail(js`typeof ${raw} !== "string" && !Number.isInteger(${raw})`);
    return { code: raw, shape };
  }
  const wrap = g.constants.name(wrapValue);
  const value = g.hold('value', js`${wrap}(${raw}, ${g.constants.name(schema)})`);
  g.writer.bail(js`${value} === null || ${value} instanceof ${g.constants.name(CelError)}`);
  return { code: value, shape };
}

/**
 * Returns the representation in which generated code processes JSON data of the given schema, for example as a string or an unconverted
 * list. `type` is the CEL type of the data.
 */
export function rawShape(schema: ValueSchema, type: CelType): Shape {
  if (schema.intOrString) return { kind: 'value', type: DYN };
  switch (schema.type) {
    case 'boolean':
      return BOOL_SHAPE;
    case 'integer':
      return INT_SHAPE;
    case 'number':
      return DOUBLE_SHAPE;
    case 'string':
      return CONVERTED_FORMATS.has(schema.format) ? { kind: 'value', type } : STRING_SHAPE;
    case 'array':
      return { kind: 'rawList', schema };
    case 'object': {
      const resource = schema.embeddedResource ? withTypeAndObjectMeta(schema) : schema;
      return {
        kind: resource.properties === undefined && resource.additionalProperties !== undefined ? 'rawMap' : 'rawObject',
        schema: resource,
      };
    }
    default:
      return { kind: 'value', type };
  }
}
