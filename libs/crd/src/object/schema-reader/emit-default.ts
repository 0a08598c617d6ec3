import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { copyJson } from '#go';
import type { JsonValue } from '#go';
import { applyDefaults } from '../write/default.ts';
import { ConstantRules } from './constant-rules.ts';
import { AnyValue } from './read-anything.ts';
import type { FieldBits } from './field-bits.ts';
import { SILENCE } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { fieldNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

/** Where defaults go: the fields of an object that may be absent. */
export interface DefaultedObject {
  readonly fields: readonly string[];
  readonly bits: FieldBits;
  readonly object: Fragment;
}

/**
 * Code that fills the defaults of absent fields, in the order in which they are declared. A default is a value as any other: it is checked, once, with all
 * that it brings along by defaults of its own, and its rules are evaluated wherever it is inserted.
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
  if (!any.meetsSchema(filled)) return SILENCE;
  const value = code.fresh('value');
  const constant = code.constant(filled);
  const passed = field.rules === undefined ? js`` : js`if (!${code.constant(new ConstantRules(any, filled))}.pass(r)) return undefined;`;
  return js`const ${value} = ${typeof filled === 'object' ? js`${code.constant(copyJson)}(${constant})` : constant};
${passed}
${object}[${code.constant(name)}] = ${value};`;
}
