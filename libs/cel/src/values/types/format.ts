import type { CelType } from './type.ts';

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
