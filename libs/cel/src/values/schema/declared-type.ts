import { listOf, mapOf, STRING } from '../types/type.ts';
import type { CelType } from '../types/type.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * CEL's declaration of a schema node: its type, and the bounds that cost estimates use. Source: k8s.io/apiserver/pkg/cel/types.go
 * `DeclType` (1.37).
 */
export type DeclaredType = ScalarDeclaration | ListDeclaration | MapDeclaration | ObjectDeclaration;

interface Declaration {
  /** Schema that is applied when values of this type are read. */
  readonly schema: ValueSchema;
  /** Minimum size of a value in JSON, in bytes. */
  readonly minSerializedSize: number;
  /** Maximum number of elements, of entries, or of bytes of text; 0 for types without a length. */
  readonly maxElements: number;
}
/** Declaration of a value that has no elements, entries or fields. */
interface ScalarDeclaration extends Declaration {
  readonly kind: 'scalar';
  readonly type: CelType;
}
/** Declaration of a list whose elements share one declaration. */
interface ListDeclaration extends Declaration {
  readonly kind: 'list';
  readonly element: DeclaredType;
}
/** Declaration of a map with string keys. */
interface MapDeclaration extends Declaration {
  readonly kind: 'map';
  readonly value: DeclaredType;
}
/** Declaration of an object with known fields. */
interface ObjectDeclaration extends Declaration {
  readonly kind: 'object';
  /** Fields by CEL (escaped) name. */
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

/** Size of map keys in cost estimates, which count every key as an empty text. */
export const MAP_KEY_ELEMENTS = 0;

/**
 * Returns the CEL type that the type checker uses for a schema type. `declared` is the declared type or its shape (kinds, field names and
 * bounds).
 *
 * The name of an object type is its path, which begins with `name`. The types of its fields are created only when they are read, because a
 * rule reads few fields of a large schema. Source: k8s.io/apiserver/pkg/cel/types.go `MaybeAssignTypeName` (1.37).
 */
export function celTypeOf(declared: TypeShape, name: string): CelType {
  switch (declared.kind) {
    case 'scalar':
      return declared.type;
    case 'list':
      return listOf(celTypeOf(declared.element, `${name}.@idx`));
    case 'map':
      return mapOf(STRING, celTypeOf(declared.value, `${name}.@elem`));
    case 'object': {
      let fields: ReadonlyMap<string, CelType> | undefined;
      return {
        kind: 'object',
        name,
        get fields() {
          return (fields ??= new Map([...declared.fields].map(([field, type]) => [field, celTypeOf(type, `${name}.${field}`)])));
        },
      };
    }
  }
}

/**
 * Shape of a declared type: the kinds, field names and bounds that checks and cost estimates of expressions need. Equal shapes are the same
 * object.
 */
export type TypeShape = ScalarShape | ListShape | MapShape | ObjectShape;

interface Shape {
  /** Maximum number of elements, entries or bytes, as in `Declaration`. */
  readonly maxElements: number;
}
/** Shape of a value that has no elements, entries or fields. */
interface ScalarShape extends Shape {
  readonly kind: 'scalar';
  readonly type: CelType;
}
/** Shape of a list whose elements share one shape. */
interface ListShape extends Shape {
  readonly kind: 'list';
  readonly element: TypeShape;
}
/** Shape of a map whose values share one shape. */
interface MapShape extends Shape {
  readonly kind: 'map';
  readonly value: TypeShape;
}
/** Shape of an object. Its fields are keyed by their CEL (escaped) names. */
interface ObjectShape extends Shape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, TypeShape>;
}

/** Cache of shapes by declaration. */
const known = new WeakMap<DeclaredType, TypeShape>();
const ids = new WeakMap<TypeShape, number>();
let lastId = 0;

/**
 * Recently created shapes, by a text that describes their content. The references are weak, so a shape stays in memory only while a
 * declaration or a rule refers to it.
 */
const recent = new Map<string, WeakRef<TypeShape>>();
/** Number of shapes in `recent` at which this cache is cleared. */
const MAX_SHAPES = 2048;

/**
 * Returns the shape of a declared type, which contains only what checks and cost estimates need. Equal shapes are the same object, so
 * declarations that differ only in documentation share one shape.
 */
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
  if (recent.size >= MAX_SHAPES) recent.clear();
  recent.set(text, new WeakRef(shape));
  return shape;
}
