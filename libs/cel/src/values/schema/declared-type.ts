import { listOf, mapOf, STRING } from '../types/type.ts';
import type { ValueSchema } from './value-schema.ts';
import type { CelType } from '../types/type.ts';
import type { TypeShape } from './type-shape.ts';

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
