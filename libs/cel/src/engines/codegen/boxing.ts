import { Float, floatValue } from '#go';
import { RawList, RawMap } from '../../values/wrap.ts';
import { ArrayList } from '../../values/list.ts';
import { CelError, NONE, Optional } from '../../values/value.ts';
import { js } from '../../library/code/javascript.ts';
import { proveObject } from '../../library/code/site.ts';
import { DOUBLE_SHAPE, shapeOfType } from '../../library/code/shape.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/** Returns code that converts an {@link Operand} to a CEL value, which is the representation that functions expect. */
export function boxed(g: Generator, operand: Operand): Fragment {
  const { code, shape } = operand;
  if ('schema' in shape && holdsColumns(shape.schema, g.columns)) return g.giveUp('a value that holds columns').code;
  switch (shape.kind) {
    case 'double':
      return js`${g.constants.name(floatValue)}(${code})`;
    case 'rawObject':
      proveObject(g, operand);
      return js`new ${g.constants.name(RawMap)}(${code}, ${g.constants.name(shape.schema)})`;
    case 'rawMap':
      return js`new ${g.constants.name(RawMap)}(${code}, ${g.constants.name(shape.schema)})`;
    case 'rawList':
      return js`new ${g.constants.name(RawList)}(${code}, ${g.constants.name(shape.schema)}, ${g.constants.name(shape.schema.items)})`;
    case 'intColumn':
    case 'textColumn':
      return g.giveUp('a column as a value').code;
    case 'counted':
      return g.giveUp('a list that was not made').code;
    case 'array':
      return js`new ${g.constants.name(ArrayList)}(${code})`;
    case 'optional':
      return js`(${code} === undefined ? ${g.constants.name(NONE)} : new ${g.constants.name(Optional)}(${boxed(g, { code, shape: shape.of })}))`;
    case 'bool':
    case 'int':
    case 'string':
    case 'value':
      return code;
  }
}

/**
 * Emits code that converts a CEL value to the representation that generated code uses. Returns the converted value as an operand. The value
 * must have the type `type` and must not be an error. If an int is beyond the safe range, the emitted code returns undefined, and the
 * interpreter evaluates the expression.
 */
export function unboxed(g: Generator, code: Fragment, type: CelType): Operand {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- values of other types stay boxed
  switch (type.kind) {
    case 'int':
      g.writer.bail(js`typeof ${code} !== "number"`);
      return { code, shape: shapeOfType(type) };
    case 'double': {
      const value = g.hold('value', js`${code} instanceof ${g.constants.name(Float)} ? ${code}.value : ${code}`);
      g.writer.bail(js`typeof ${value} !== "number"`);
      return { code: value, shape: DOUBLE_SHAPE };
    }
    case 'string':
      g.writer.bail(js`typeof ${code} !== "string"`);
      return { code, shape: shapeOfType(type) };
    case 'bool':
      g.writer.bail(js`typeof ${code} !== "boolean"`);
      return { code, shape: shapeOfType(type) };
    default:
      return { code, shape: shapeOfType(type) };
  }
}

/**
 * Returns true if values of a schema may contain a list that is stored in a column. A column is a long list of scalars that is read in
 * place. Such values must not be passed to code that does not support columns.
 */
function holdsColumns({ items, properties, additionalProperties }: ValueSchema, columns: ReadonlySet<ValueSchema>): boolean {
  if (columns.size === 0) return false;
  return [items, additionalProperties, ...(properties?.values() ?? [])].some(
    (part) => part !== undefined && (columns.has(part) || holdsColumns(part, columns)),
  );
}

/** Converts an optional to the representation that generated code uses. Returns undefined if the operand's type is not an optional. */
export function asOptional(g: Generator, operand: Operand): Operand | undefined {
  const { code, shape } = operand;
  if (shape.kind === 'optional') return operand;
  if (shape.kind !== 'value' || shape.type.kind !== 'optional') return undefined;
  const { value: type } = shape.type;
  g.writer.bail(js`!(${code} instanceof ${g.constants.name(Optional)})`);
  const out = g.names.fresh('out');
  g.writer.line(js`let ${out} = ${code}.value;`);
  let of: Shape = shapeOfType(type);
  g.writer.branch(js`${out} !== undefined`, () => {
    g.writer.bail(isError(g, out));
    const held = unboxed(g, out, type);
    of = held.shape;
    if (held.code !== out) g.writer.line(js`${out} = ${held.code};`);
  });
  return { code: out, shape: { kind: 'optional', of } };
}

/** Returns code that tests whether a CEL value is an error. */
export function isError(g: Generator, code: Fragment): Fragment {
  return js`${code} instanceof ${g.constants.name(CelError)}`;
}
