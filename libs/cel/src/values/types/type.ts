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

/** Returns true if two types are identical, including the names of type parameters. */
export function isExactType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, 'exact');
}

/** Returns true if two types are identical except for the names of type parameters. */
export function isEquivalentType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, 'equivalent');
}

/**
 * Returns true if two types are the same. If `equality` is `exact`, type parameters must also have the same name. Source: cel-go
 * common/types/types.go `isTypeInternal` (v0.29.2).
 */
function isSameType(a: CelType, b: CelType, equality: 'exact' | 'equivalent'): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  const as = typeParameters(a);
  const bs = typeParameters(b);
  if (as.length !== bs.length) return false;
  if ((equality === 'exact' || a.kind !== 'typeParameter') && runtimeTypeName(a) !== runtimeTypeName(b)) return false;
  return as.every((parameter, i) => isSameType(parameter, bs[i]!, equality));
}

/** Returns true for `dyn` and `any`, whose values can have any type. */
export const isDyn = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';

/** Type names that differ between Kubernetes minor versions. */
export interface TypeNaming {
  readonly optionalTypeName: 'optional' | 'optional_type';
}

/**
 * Type names of the latest Kubernetes minor version. They are the default for callers that only compare names, because the minor version
 * does not affect the comparison.
 */
const LATEST_NAMING: TypeNaming = { optionalTypeName: 'optional_type' };

/**
 * Returns the run-time name of a type without its parameters: `int`, `google.protobuf.Timestamp`, `list`, `net.IP`. Source: cel-go
 * common/types/types.go `TypeName` (v0.29.2).
 */
export function runtimeTypeName(type: CelType, naming: TypeNaming = LATEST_NAMING): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types are named like their kinds
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'any':
      return 'google.protobuf.Any';
    case 'optional':
      return naming.optionalTypeName;
    case 'typeParameter':
    case 'object':
    case 'opaque':
      return type.name;
    default:
      return type.kind;
  }
}

/** Returns the component types of a type: the element type, the key and value types, or the wrapped type. */
export function typeParameters(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'optional':
      return [type.value];
    case 'type':
      return type.of === undefined ? [] : [type.of];
    case 'opaque':
      return type.parameters;
    case 'any':
    case 'bool':
    case 'bytes':
    case 'double':
    case 'duration':
    case 'dyn':
    case 'error':
    case 'int':
    case 'null':
    case 'object':
    case 'string':
    case 'timestamp':
    case 'typeParameter':
    case 'uint':
      return [];
  }
}

const SHORT_NAMES: Readonly<Partial<Record<CelType['kind'], string>>> = {
  null: 'null',
  timestamp: 'timestamp',
  duration: 'duration',
  any: 'any',
  error: '!error!',
};

/** Formats a type as the checker's messages print it. Source: cel-go checker/format.go `FormatCELType` (v0.29.2). */
export function formatType(type: CelType, naming?: TypeNaming): string {
  return SHORT_NAMES[type.kind] ?? withParameters(type, naming, formatType);
}

/** Formats the argument types of a call as the checker's messages print them: `(int, string)`, or `list(int).(string)` for a method. */
export function formatArguments(types: readonly CelType[], method: boolean, naming?: TypeNaming): string {
  const names = types.map((type) => formatType(type, naming));
  return method ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}

/** Formats a type as upstream prints a type value. Source: cel-go common/types/types.go `String` (v0.29.2). */
export function typeText(type: CelType, naming?: TypeNaming): string {
  return type.kind === 'typeParameter' ? `<${type.name}>` : withParameters(type, naming, typeText);
}

/**
 * Formats a type like {@link typeText}, except that type parameters have no angle brackets. cel-go before 0.22 prints types in errors this
 * way.
 */
export function plainTypeText(type: CelType, naming?: TypeNaming): string {
  return withParameters(type, naming, plainTypeText);
}

function withParameters(
  type: CelType,
  naming: TypeNaming | undefined,
  text: (type: CelType, naming: TypeNaming | undefined) => string,
): string {
  const name = runtimeTypeName(type, naming);
  if ('nullable' in type) return `wrapper(${name})`;
  const parameters = typeParameters(type);
  return parameters.length === 0 ? name : `${name}(${parameters.map((parameter) => text(parameter, naming)).join(', ')})`;
}
