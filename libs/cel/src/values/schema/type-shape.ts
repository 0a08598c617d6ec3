import type { CelType } from '../types/type.ts';
import type { DeclaredType } from './declared-type.ts';

/** The facts of a declared type for checks and estimates of expressions: kinds, names of fields, and bounds. Equal shapes are one object. */
export type TypeShape = ScalarShape | ListShape | MapShape | ObjectShape;

interface Shape {
  /** As in `Declaration`. */
  readonly maxElements: number;
}
/** A value without parts. */
interface ScalarShape extends Shape {
  readonly kind: 'scalar';
  readonly type: CelType;
}
/** A list of elements of one shape. */
interface ListShape extends Shape {
  readonly kind: 'list';
  readonly element: TypeShape;
}
/** A map whose values are of one shape. */
interface MapShape extends Shape {
  readonly kind: 'map';
  readonly value: TypeShape;
}
/** An object; fields by their CEL (escaped) names. */
interface ObjectShape extends Shape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, TypeShape>;
}

/** Shapes of declarations that were asked for. */
const known = new WeakMap<DeclaredType, TypeShape>();
const ids = new WeakMap<TypeShape, number>();
let lastId = 0;

/** Shapes by what they say, the last that were asked for. They live as long as a declaration or a rule has them. */
const recent = new Map<string, WeakRef<TypeShape>>();
/** Shapes after which all are forgotten. */
const MOST_SHAPES = 2048;

/** Returns the canonical shape of a declaration. Nodes that differ only in wording share a shape. */
export function shapeOf(declared: DeclaredType): TypeShape {
  let shape = known.get(declared);
  if (shape === undefined) known.set(declared, (shape = newShapeOf(declared)));
  return shape;
}

function newShapeOf(declared: DeclaredType): TypeShape {
  const { kind, maxElements } = declared;
  switch (kind) {
    case 'scalar': {
      const { type } = declared;
      return internedAs(`${maxElements}${type.kind}`, () => ({ kind, type, maxElements }));
    }
    case 'list': {
      const element = shapeOf(declared.element);
      return internedAs(`${maxElements}[${idOf(element)}`, () => ({ kind, element, maxElements }));
    }
    case 'map': {
      const value = shapeOf(declared.value);
      return internedAs(`${maxElements}{${idOf(value)}`, () => ({ kind, value, maxElements }));
    }
    case 'object': {
      let text = '(';
      const fields = new Map<string, TypeShape>();
      for (const [name, field] of declared.fields) {
        const shape = shapeOf(field);
        fields.set(name, shape);
        text += `${name} ${idOf(shape)},`;
      }
      return internedAs(text, () => ({ kind, fields, maxElements }));
    }
  }
}

function idOf(shape: TypeShape): number {
  let id = ids.get(shape);
  if (id === undefined) ids.set(shape, (id = ++lastId));
  return id;
}

function internedAs(text: string, make: () => TypeShape): TypeShape {
  const known = recent.get(text)?.deref();
  if (known !== undefined) return known;
  const shape = make();
  if (recent.size >= MOST_SHAPES) recent.clear();
  recent.set(text, new WeakRef(shape));
  return shape;
}
