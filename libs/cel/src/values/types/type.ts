/** CEL type that the checker assigns to an expression. Source: cel-go common/types/types.go (v0.29.2). */
export type CelType =
  | {
      readonly kind: 'bool' | 'bytes' | 'double' | 'int' | 'string' | 'uint';
      /** True for a wrapper type such as `wrapper(int)`, to which null is assignable. */
      readonly nullable?: true;
    }
  | { readonly kind: 'null' | 'timestamp' | 'duration' | 'dyn' | 'any' | 'error' }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'optional'; readonly value: CelType }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  | { readonly kind: 'typeParameter'; readonly name: string }
  /** A declared object (from a schema) or an opaque library type such as `net.IP` or `kubernetes.Quantity`. */
  | ObjectType
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] };

/** CEL type of objects. `fields` holds the declared fields; library types have none. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** Field types by CEL (escaped) field name; undefined for opaque library types. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** True if every name is a valid field of type `dyn`. */
  readonly anyField?: true;
}

/** CEL types without type parameters: `BOOL` and the constants that follow. Values of type `dyn` are type-checked only at run time. */
export const BOOL: CelType = { kind: 'bool' };
export const INT: CelType = { kind: 'int' };
export const UINT: CelType = { kind: 'uint' };
export const DOUBLE: CelType = { kind: 'double' };
export const STRING: CelType = { kind: 'string' };
export const BYTES: CelType = { kind: 'bytes' };
export const NULL: CelType = { kind: 'null' };
export const TIMESTAMP: CelType = { kind: 'timestamp' };
export const DURATION: CelType = { kind: 'duration' };
export const DYN: CelType = { kind: 'dyn' };
/** Returns the type `list(element)`. `mapOf` returns `map(key, value)`, and `optionalOf` returns `optional_type(value)`. */
export const listOf = (element: CelType): CelType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (value: CelType): CelType => ({ kind: 'optional', value });
/** Returns the type of the wrapper message for a scalar type, such as `wrapper(int)`. */
export const nullableOf = (type: CelType): CelType => ({ ...type, nullable: true }) as CelType;
/**
 * Returns the type of a type value, such as `type(int)`. The two functions below also create types. `typeParameter` returns a type
 * parameter, such as `T` in `list(T)`, which each call of a generic function binds to a type. `objectType` returns an object type with the
 * given name.
 */
export const typeOf = (of: CelType | undefined): CelType => ({ kind: 'type', of });
export const typeParameter = (name: string): CelType => ({ kind: 'typeParameter', name });
export const objectType = (name: string): ObjectType => ({ kind: 'object', name });
/** Type of the message `google.protobuf.Empty{}`. */
export const EMPTY_TYPE: ObjectType = { kind: 'object', name: 'google.protobuf.Empty', fields: new Map() };
/** Type of an expression that could not be checked. */
export const ERROR_TYPE: CelType = { kind: 'error' };
