import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { newJsonObject } from '#go';
import { emitDefaults } from './emit-default.ts';
import { columnElements, ColumnField } from './column-field.ts';
import { emitRules } from './emit-rules.ts';
import { emitKeywords } from './emit-keywords.ts';
import { emitWords } from './emit-words.ts';
import type { Word } from './emit-words.ts';
import { FieldBits } from './field-bits.ts';
import { describesWhole, isFieldwise } from './keyword-check.ts';
import { emitEntries, GIVE_UP, SKIP_COLON } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { fieldNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';

/** Description of a generated function that reads an object from JSON: the fields of the object, and the code that runs after them. */
export interface ObjectParts {
  /** Declared fields that are read according to their schema. */
  readonly fields: readonly string[];
  /** Fields with special handling, and the code that reads each of them. The code starts after the key and its colon. */
  readonly own: readonly Word[];
  /** Required fields in addition to the fields that the schema requires. */
  readonly required: readonly string[];
  /** Fields that the result never contains, even if they were sent. */
  readonly absent: readonly string[];
  /** Emits code that changes the complete object before its rules are evaluated. */
  readonly finish: (object: Fragment) => Fragment;
}

/** Generates the body of a function that reads an object with declared fields from JSON bytes. */
export function objectBody(code: ReaderCode, node: ReaderNode): Fragment {
  const fields = [...(node.structural.properties?.keys() ?? [])];
  return bodyOfParts(code, node, { fields, own: [], required: [], absent: [], finish: () => js`` });
}

/**
 * Returns the body of a generated function that reads an object from JSON bytes, as `parts` describes it. The code for the fields in
 * `parts.own` can use the variable `object`, which holds the object.
 */
export function bodyOfParts(code: ReaderCode, node: ReaderNode, parts: ObjectParts): Fragment {
  const { fields, own, finish } = parts;
  const bits = new FieldBits(code, [...fields, ...own.map(({ text }) => text)]);
  const object = js`object`;
  const columnFields = code.columnFields;
  const words = [
    ...fields.map((name) => ({
      text: name,
      action: js`${bits.note(name)} ${SKIP_COLON}\n${emitField(code, node, name, { bits, object })}`,
    })),
    ...own.map(({ text, action }) => ({ text, action: js`${bits.note(text)} ${SKIP_COLON}\n${action}` })),
  ];
  const require = requirement(code, node, bits, parts);
  const declared = js`const ${object} = ${code.constant(newJsonObject)}();
${bits.declarations}`;
  const entry = js`if (bytes[at] !== 34) return undefined;
${emitWords(code, words, undeclared(code, node, own))}`;
  return js`${emitEntries('object', declared, entry)}
${emitDefaults(code, node, { fields, bits, object })}
${require(parts.required)}
${emitKeywords(code, node.props, { of: 'object', value: object, size: undefined, require }, isFieldwise)}
${finish(object)}
${emitWhole(code, node, bits, parts)}
${emitRules(code, node, object, code.columnFields > columnFields)}
return ${object};`;
}

/** Object that contains a field, with the bits that record which of its fields are present. */
interface FieldPlace {
  readonly bits: FieldBits;
  readonly object: Fragment;
}

function emitField(code: ReaderCode, node: ReaderNode, name: string, { bits, object }: FieldPlace): Fragment {
  const field = fieldNode(node, name);
  if (field === undefined) return GIVE_UP;
  const value = code.fresh('value');
  const key = code.constant(name);
  const noted = node.notedKey === name;
  const read = js`let ${value};
${noted ? js`const keyFrom = at;` : js``}
${emitFieldValue(code, field, name, { value, object })}
${noted ? js`r.keys.note(keyFrom, at, ${value}.length);` : js``}
${object}[${key}] = ${value};`;
  const { nullable, default: filling } = field.structural;
  if (nullable) return read;
  // A null is dropped if the field is not nullable, and a default replaces it.
  return js`if (bytes[at] === 110) {
s.at = at;
if (s.null() === undefined) return undefined;
at = s.at;
${bits.noteNull(name)}
${filling === undefined ? js`` : js`${object}[${key}] = null;`}
} else {
${read}
}`;
}

/**
 * Emits code that reads the value of a field. A list may be read into a column, without a value for each element, until the verdict on the
 * object is complete.
 */
function emitFieldValue(
  code: ReaderCode,
  field: ReaderNode,
  name: string,
  { value, object }: { readonly value: Fragment; readonly object: Fragment },
): Fragment {
  const read = code.value(code, field, value);
  // Kubernetes reads an object with `items` as a list, so this field stays a real list for that check.
  const elements = field.isFixedPlace === true && name !== 'items' ? columnElements(field, code.dialect) : undefined;
  if (elements === undefined) return read;
  code.columns.add(field.structural);
  code.columnFields += 1;
  const column = code.constant(new ColumnField(field, elements, code.dialect));
  return js`if (r.columns !== undefined) {
s.at = at;
${value} = ${column}.read(r);
if (${value} === undefined) return undefined;
r.columns.hold(${object}, ${code.constant(name)}, at, s.at);
at = s.at;
} else {
${read}
}`;
}

/**
 * Emits code for an undeclared field. The field is kept if the schema preserves unknown fields. In all other schemas, the field causes at
 * least a warning, so the code returns undefined.
 */
function undeclared(code: ReaderCode, { structural }: ReaderNode, own: readonly Word[]): Fragment {
  if (!structural.preserveUnknownFields) return GIVE_UP;
  const declared = new Set([...(structural.properties?.keys() ?? []), ...own.map(({ text }) => text)]);
  return js`s.at = at;
if (!s.addUndeclared(object, ${code.constant(declared)})) return undefined;
at = s.at;`;
}

/**
 * Returns a function that emits a test of required fields. The code returns undefined unless all of them are present. Fields with a default
 * are present at this point. Undeclared fields are looked up by name.
 */
function requirement(code: ReaderCode, { structural }: ReaderNode, bits: FieldBits, { fields, absent }: ObjectParts) {
  const isFilled = (name: string): boolean => fields.includes(name) && structural.properties?.get(name)?.default !== undefined;
  return (required: readonly string[]): Fragment => {
    const names = required.filter((name) => !isFilled(name));
    if (names.some((name) => absent.includes(name))) return GIVE_UP;
    const others = names.filter((name) => !bits.has(name));
    const looks = others.map((name) => js`if (object[${code.constant(name)}] === undefined) return undefined;`);
    return joined([bits.require(names.filter((name) => bits.has(name))), ...looks], '\n');
  };
}

/**
 * Emits the tests of keywords that concern the whole object. If the object has only declared fields, its fields are counted by their bits.
 */
function emitWhole(code: ReaderCode, { structural, props }: ReaderNode, bits: FieldBits, { fields, own }: ObjectParts): Fragment {
  if (!describesWhole(props)) return js``;
  const isCounted = own.length === 0 && !structural.preserveUnknownFields;
  const count = code.fresh('count');
  const defaulted = fields.filter((name) => structural.properties?.get(name)?.default !== undefined);
  const site = { of: 'object', value: js`object`, size: isCounted ? count : undefined, require: undefined } as const;
  return js`${isCounted ? js`const ${count} = ${bits.count(code, defaulted)};` : js``}
${emitKeywords(code, props, site, (keyword) => !isFieldwise(keyword))}`;
}
