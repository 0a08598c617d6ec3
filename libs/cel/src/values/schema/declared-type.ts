import { listOf, mapOf, STRING } from '../types/type.ts';
import type { ValueSchema } from './value-schema.ts';
import type { CelType } from '../types/type.ts';
import type { TypeShape } from './type-shape.ts';

/**
 * CEL's declaration of a schema node: its type, and the bounds for estimating costs. Source:
 * k8s.io/apiserver/pkg/cel/types.go `DeclType` (1.37).
 */
export type DeclaredType = ScalarDeclaration | ListDeclaration | MapDeclaration | ObjectDeclaration;

interface Declaration {
  /** The schema that values of the type are read under. */
  readonly schema: ValueSchema;
  /** Fewest bytes that a value takes in JSON. */
  readonly minSerializedSize: number;
  /** Most elements, entries, or bytes of text; 0 for types without a length. */
  readonly maxElements: number;
}
/** A value without parts. */
interface ScalarDeclaration extends Declaration {
  readonly kind: 'scalar';
  readonly type: CelType;
}
/** A list of elements of one declaration. */
interface ListDeclaration extends Declaration {
  readonly kind: 'list';
  readonly element: DeclaredType;
}
/** Keys are strings. */
interface MapDeclaration extends Declaration {
  readonly kind: 'map';
  readonly value: DeclaredType;
}
/** An object with declared fields. */
interface ObjectDeclaration extends Declaration {
  readonly kind: 'object';
  /** Fields by CEL (escaped) name. */
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

/** Keys of maps count as empty in estimates. */
export const MAP_KEY_ELEMENTS = 0;

/**
 * Returns the checker's type of a declaration, or of its shape. Objects are named by their place under `name`; their fields are made only when looked at, since a
 * rule sees few of a large schema. Source: k8s.io/apiserver/pkg/cel/types.go `MaybeAssignTypeName` (1.37).
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
