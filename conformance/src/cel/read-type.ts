import { listOf, mapOf, NULL, objectType, optionalOf, typeOf, typeParameter } from '../../../libs/cel/src/values/types/type.ts';
import type { CelType } from '../../../libs/cel/src/values/types/type.ts';

/** Parses a type in the notation of the recorded tables, such as `map(string, list(<T>))`. */
export function readType(text: string): CelType {
  const { name, parameters } = split(text);
  const types = parameters.map(readType);
  switch (name) {
    case 'list':
      return listOf(types[0]!);
    case 'map':
      return mapOf(types[0]!, types[1]!);
    case 'optional_type':
      return optionalOf(types[0]!);
    case 'type':
      return typeOf(types[0]);
    case 'null_type':
    case 'null':
      return NULL;
    case 'google.protobuf.Timestamp':
      return { kind: 'timestamp' };
    case 'google.protobuf.Duration':
      return { kind: 'duration' };
  }
  if (isKind(name)) return { kind: name };
  if (name.startsWith('<')) return typeParameter(name.slice(1, -1));
  return types.length === 0 ? objectType(name) : { kind: 'opaque', name, parameters: types };
}

function split(text: string): { name: string; parameters: string[] } {
  const open = text.indexOf('(');
  if (open < 0) return { name: text, parameters: [] };
  const parameters: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    const ends = i === text.length - 1;
    if ((text[i] === ',' && depth === 0) || ends) {
      parameters.push(text.slice(start, i).trim());
      start = i + 1;
    }
    if (text[i] === ')') depth--;
  }
  return { name: text.slice(0, open), parameters };
}

const KINDS = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration', 'dyn', 'any'] as const;

/** Returns true if `name` is the name of a type without type parameters. */
function isKind(name: string): name is (typeof KINDS)[number] {
  return (KINDS as readonly string[]).includes(name);
}
