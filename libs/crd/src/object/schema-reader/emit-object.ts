import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import { newJsonObject, copyJson, isJsonObject } from '#go';
import { columnElements, ColumnField } from './columns.ts';
import { emitRules } from './emit-rules.ts';
import { emitWords } from './emit-words.ts';
import type { Word } from './emit-words.ts';
import { FieldBits } from './field-bits.ts';
import { describesWhole, isFieldwise, keywordCheck, withoutContents, fieldNode } from './reader-node.ts';
import { emitEntries, GIVE_UP, SKIP_COLON } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';
import type { JsonValue } from '#go';
import { applyDefaults } from '../write/default.ts';
import { AnyValue } from './read-anything.ts';
import type { ReaderRun } from './reader-run.ts';
import type { ReaderSite, Keyword } from '../../keywords/keyword.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { KINDS } from '../openapi/kind.ts';
import type { Kind } from '../openapi/kind.ts';

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
  // For a field that is not nullable, Kubernetes drops a null, or replaces it by the default. The code 110 is the letter `n` of `null`.
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
  // Kubernetes mistakes an object with a list `items` for a list of objects. That check needs a real list, and not a column.
  const elements = field.isFixedPlace === true && name !== 'items' ? columnElements(field, code.behaviour) : undefined;
  if (elements === undefined) return read;
  code.columns.add(field.structural);
  code.columnFields += 1;
  const column = code.constant(new ColumnField(field, elements, code.behaviour));
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

/**
 * Object in generated code that gets defaults for absent fields. Consists of its field names, the bits that mark the present fields, and
 * the code that refers to the object.
 */
interface DefaultedObject {
  readonly fields: readonly string[];
  readonly bits: FieldBits;
  readonly object: Fragment;
}

/**
 * Emits code that sets absent fields to their defaults, in the order of the fields' declarations. The schema of each default, including
 * nested defaults, is checked once, when the code is generated. The rules on a default are evaluated each time the default is set.
 */
function emitDefaults(code: ReaderCode, node: ReaderNode, { fields, bits, object }: DefaultedObject): Fragment {
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
  const any = new AnyValue(field, code.behaviour, code.wording);
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

/**
 * Rules of a constant value, such as a default. The results and costs of the rules depend only on the value and on the operation (create or
 * update). Therefore the rules are evaluated only until all of them are true. Later, only their known cost is charged, unless it exceeds
 * the cost limit.
 */
class ConstantRules {
  readonly #node: AnyValue;
  readonly #value: JsonValue;
  /**
   * Costs of all rules together in cost units, for a create and for an update; undefined until all rules were true once. The costs differ,
   * because a create evaluates rules with an optional `oldSelf`.
   */
  readonly #costs: { create: number | undefined; update: number | undefined } = { create: undefined, update: undefined };

  constructor(node: AnyValue, value: JsonValue) {
    this.#node = node;
    this.#value = value;
  }

  /** Returns true if all rules are true, and adds their cost to the costs in `run`. */
  pass(run: ReaderRun): boolean {
    const write = run.isUpdate ? 'update' : 'create';
    const known = this.#costs[write];
    // If the sum of the rules' costs is within the limit of one rule, each single rule is within this limit, too.
    if (known !== undefined && known <= run.costLimit) {
      run.cost += known;
      return true;
    }
    const before = run.cost;
    if (!this.#node.passesRules(this.#value, run)) return false;
    this.#costs[write] = run.cost - before;
    return true;
  }
}

/**
 * Data that a schema keyword receives to emit code that tests a value. The code becomes part of a generated schema reader. This type is
 * {@link ReaderSite} without the properties that `ReaderCode` supplies.
 */
type ValueSite = ReaderSite extends infer Site ? (Site extends ReaderSite ? Omit<Site, 'behaviour' | 'constant'> : never) : never;

const KINDS_OF: Readonly<Record<ReaderSite['of'], readonly Kind[]>> = {
  string: [KINDS.string],
  integer: [KINDS.int],
  number: [KINDS.int, KINDS.float],
  boolean: [KINDS.bool],
  list: [KINDS.array],
  map: [KINDS.object],
  object: [KINDS.object],
};

/**
 * Emits code that tests a value against the keywords of its schema. The emitted code makes its enclosing function return undefined if a
 * test fails. Keywords about the children of the value are not included. If generated code cannot test a keyword, the emitted code calls
 * the exact validation for all keywords instead.
 *
 * @param isMeant Returns true for the keywords that are to be checked.
 */
export function emitKeywords(
  code: ReaderCode,
  props: SchemaProps,
  site: ValueSite,
  isMeant: (keyword: Keyword) => boolean = () => true,
): Fragment {
  const whole = { ...site, behaviour: code.behaviour, constant: (value: unknown) => code.constant(value) } as ReaderSite;
  const tests: Fragment[] = [];
  for (const keyword of keywordsAbout(props, ...KINDS_OF[site.of]).filter(isMeant)) {
    const test = keyword.fastPaths.code?.(props[keyword.field], whole, props);
    if (test === undefined) return emitCheck(code, withoutContents(props), site.value);
    tests.push(test);
  }
  return joined(tests, '\n');
}

/**
 * Emits code that validates a value by calling the exact validation for the keywords of its schema. Callers use it if a keyword has no
 * generated test. The emitted code returns undefined if the value is invalid.
 */
export function emitCheck(code: ReaderCode, props: SchemaProps, value: Fragment): Fragment {
  return js`if (!${code.constant(keywordCheck(props, code.behaviour))}(${value}, r.token)) return undefined;`;
}
