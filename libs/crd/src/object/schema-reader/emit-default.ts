import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { copyJson, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';
import { applyDefaults } from '../write/default.ts';
import { ConstantRules } from './constant-rules.ts';
import { AnyValue } from './read-anything.ts';
import type { FieldBits } from './field-bits.ts';
import { GIVE_UP } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { fieldNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

/**
 * Object in generated code that gets defaults for absent fields. Consists of its field names, the bits that mark the present fields, and
 * the code that refers to the object.
 */
export interface DefaultedObject {
  readonly fields: readonly string[];
  readonly bits: FieldBits;
  readonly object: Fragment;
}

/**
 * Emits code that sets absent fields to their defaults, in the order of the fields' declarations. The schema of each default, including
 * nested defaults, is checked once, when the code is generated. The rules on a default are evaluated each time the default is set.
 */
export function emitDefaults(code: ReaderCode, node: ReaderNode, { fields, bits, object }: DefaultedObject): Fragment {
  const lines = fields.flatMap((name) => {
    const field = fieldNode(node, name);
    if (field?.structural.default === undefined) return [];
    return [js`if (${bits.isAbsent(name)}) {\n${emitDefault(code, field, name, object)}\n}`];
  });
  return joined(lines, '\n');
}

function emitDefault(code: ReaderCode, field: ReaderNode, name: string, object: Fragment): Fragment {
  const { structural } = field;
  const filled = copyJson(structural.default as JsonValue);
  applyDefaults(filled, structural);
  const any = new AnyValue(field, code.dialect, code.wording);
  if (!any.meetsSchema(filled)) return GIVE_UP;
  const value = code.fresh('value');
  const passed = field.rules === undefined ? js`` : js`if (!${code.constant(new ConstantRules(any, filled))}.pass(r)) return undefined;`;
  return js`${emitCopy(code, filled, value)}
${passed}
${object}[${code.constant(name)}] = ${value};`;
}

/** Emits code that creates a new copy of a value. */
function emitCopy(code: ReaderCode, value: JsonValue, into: Fragment): Fragment {
  if (Array.isArray(value)) {
    const items = value.map((item) => ({ item, name: code.fresh('item') }));
    const copies = items.map(({ item, name }) => emitCopy(code, item, name));
    const names = items.map(({ name }) => name);
    return joined([...copies, js`const ${into} = [${joined(names, ', ')}];`], '\n');
  }
  if (!isJsonObject(value)) return js`const ${into} = ${code.constant(value)};`;
  const fields = Object.entries(value).map(([key, field]) => {
    const name = code.fresh('value');
    return js`${emitCopy(code, field, name)}\n${into}[${code.constant(key)}] = ${name};`;
  });
  return joined([js`const ${into} = ${code.constant(newJsonObject)}();`, ...fields], '\n');
}
