import type { CelType } from './type.ts';

/** Names of types that differ between minors. */
export interface TypeNaming {
  readonly optionalTypeName: 'optional' | 'optional_type';
}

/** Names of the latest minor. If types are only compared, any names will do. */
const LATEST_NAMING: TypeNaming = { optionalTypeName: 'optional_type' };

/** Returns a type's run-time name without parameters: `int`, `google.protobuf.Timestamp`, `list`, `net.IP`. Source: cel-go common/types/types.go `TypeName` (v0.29.2). */
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

/** Returns the types that a type is made of: element, key and value, wrapped value. */
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

/** Returns a type as the checker's messages print it. Source: cel-go checker/format.go `FormatCELType` (v0.29.2). */
export function formatType(type: CelType, naming?: TypeNaming): string {
  return SHORT_NAMES[type.kind] ?? withParameters(type, naming, formatType);
}

/** Returns the argument types of a call as the checker's messages print them: `(int, string)`, or `list(int).(string)` for a method. */
export function formatArguments(types: readonly CelType[], method: boolean, naming?: TypeNaming): string {
  const names = types.map((type) => formatType(type, naming));
  return method ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}

/** Returns a type as a type value prints itself. Source: cel-go common/types/types.go `String` (v0.29.2). */
export function typeText(type: CelType, naming?: TypeNaming): string {
  return type.kind === 'typeParameter' ? `<${type.name}>` : withParameters(type, naming, typeText);
}

/** Returns the same as {@link typeText}, with bare type parameters, as cel-go before 0.22 prints types in errors. */
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
