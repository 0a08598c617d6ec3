import type { CelType } from '../types/type.ts';
import type { DeclaredType } from './declared-type.ts';

/** What checks and estimates of expressions can tell of a declared type: kinds, names of fields, and bounds. Equal shapes are one object. */
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

/** Shapes by what they say: those of the definition that is read now, and of the one before. They live as long as a declaration or a rule has them. */
let young = new Map<string, WeakRef<TypeShape>>();
let old = new Map<string, WeakRef<TypeShape>>();
/** Shapes after which the old ones are forgotten without being told. */
const MOST_SHAPES = 4096;

/** Says that another definition begins: what neither it nor the one before has is forgotten. */
export function beginShapes(): void {
  old = young;
  young = new Map();
}

/** The shape of a declaration: definitions say the same at many nodes, in other words. */
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
  const found = young.get(text) ?? old.get(text);
  let shape = found?.deref();
  if (shape === undefined) shape = make();
  else if (young.get(text) === found) return shape;
  if (young.size >= MOST_SHAPES) beginShapes();
  young.set(text, new WeakRef(shape));
  return shape;
}
