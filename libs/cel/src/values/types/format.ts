import { rulesInForce } from '../value-rules.ts';
import type { CelType } from './type.ts';

/** A type's run-time name without parameters: `int`, `google.protobuf.Timestamp`, `list`, `net.IP`. Source: cel-go common/types/types.go `TypeName` (v0.29.2). */
export function runtimeTypeName(type: CelType): string {
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
      return rulesInForce().optionalsHaveShortName ? 'optional' : 'optional_type';
    case 'typeParameter':
    case 'object':
    case 'opaque':
      return type.name;
    default:
      return type.kind;
  }
}

/** The types that a type is made of: element, key and value, wrapped value. */
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
    default:
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

/** A type as the checker's messages print it. Source: cel-go checker/format.go `FormatCELType` (v0.29.2). */
export function formatType(type: CelType): string {
  const short = SHORT_NAMES[type.kind];
  return short ?? withParameters(runtimeTypeName(type), typeParameters(type), formatType);
}

/** The argument types of a call as the checker's messages print them: `(int, string)`, or `list(int).(string)` for a method. */
export function formatArguments(types: readonly CelType[], method: boolean): string {
  const names = types.map(formatType);
  return method ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}

/** A type as a type value prints itself. Source: cel-go common/types/types.go `String` (v0.29.2). */
export function typeText(type: CelType): string {
  if (type.kind === 'typeParameter') return `<${type.name}>`;
  return withParameters(runtimeTypeName(type), typeParameters(type), typeText);
}

/** As {@link typeText}, with type parameters bare: how cel-go before 0.22 printed types in complaints. */
export function plainTypeText(type: CelType): string {
  return withParameters(runtimeTypeName(type), typeParameters(type), plainTypeText);
}

function withParameters(name: string, parameters: readonly CelType[], text: (type: CelType) => string): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(text).join(', ')})`;
}
