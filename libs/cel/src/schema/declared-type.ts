import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from '../types/type.ts';
import type { CelType } from '../types/type.ts';

/**
 * What CEL knows of a schema node: its type and the bounds that costs are estimated with.
 * Source: k8s.io/apiserver/pkg/cel/types.go `DeclType` (1.37).
 */
export type DeclaredType = ScalarDeclaration | ListDeclaration | MapDeclaration | ObjectDeclaration;

interface Bounds {
  /** Fewest bytes that a value takes in JSON. */
  readonly minSerializedSize: number;
  /** Most elements, entries, or bytes of text; 0 for types without a length. */
  readonly maxElements: number;
}
export interface ScalarDeclaration extends Bounds {
  readonly kind: 'scalar';
  readonly type: CelType;
}
export interface ListDeclaration extends Bounds {
  readonly kind: 'list';
  readonly element: DeclaredType;
}
/** Keys are strings. */
export interface MapDeclaration extends Bounds {
  readonly kind: 'map';
  readonly value: DeclaredType;
}
export interface ObjectDeclaration extends Bounds {
  readonly kind: 'object';
  /** By CEL (escaped) field name. */
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

/** The keys of maps count as empty in estimates. */
export const MAP_KEY: ScalarDeclaration = { kind: 'scalar', type: STRING, minSerializedSize: 2, maxElements: 0 };

export const scalar = (type: CelType, minSerializedSize: number, maxElements: number): ScalarDeclaration => ({
  kind: 'scalar',
  type,
  minSerializedSize,
  maxElements,
});

/**
 * The checker's type of a declaration. Objects are named by their place under `name`; their fields are made only when looked at, since a
 * rule sees few of a large schema. Source: k8s.io/apiserver/pkg/cel/types.go `MaybeAssignTypeName` (1.37).
 */
export function celTypeOf(declared: DeclaredType, name: string): CelType {
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

/** Declarations of schema types whose bounds never vary. */
export const DECLARED = {
  bool: scalar(BOOL, 4, 0),
  int: scalar(INT, 1, 0),
  double: scalar(DOUBLE, 1, 0),
  duration: scalar(DURATION, 3, 32),
  date: scalar(TIMESTAMP, 12, 12),
  dateTime: scalar(TIMESTAMP, 21, 32),
  string: (maxBytes: number) => scalar(STRING, 2, maxBytes),
  bytes: (maxBytes: number) => scalar(BYTES, 2, maxBytes),
  intOrString: (maxBytes: number) => scalar(DYN, 1, maxBytes),
} as const;
