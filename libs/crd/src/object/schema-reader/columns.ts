import type { ValueSchema } from '#cel';
import { IntColumn, ColumnRoom, readJson } from '#go';
import type { Column, TextColumn, JsonObject, JsonValue } from '#go';
import { grouped } from '#numbers';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { VocabularyKeyword } from '../../keywords/vocabulary.ts';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { compileNode, isConvex } from '../openapi/compile-validator.ts';
import { KINDS } from '../openapi/kind.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import type { NodeCheck, ValidationBehaviour } from '../openapi/schema-walk.ts';
import { areDistinctIntegers, areDistinct } from '../write/distinct.ts';
import { Polls } from '../write/polls.ts';
import { RuleCall } from './emit-rules.ts';
import { itemNode, readingOf } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import { areDistinctTexts } from './reader-run.ts';
import type { ReaderRun } from './reader-run.ts';

/** Kind of the elements of a column, a list that is read without a value for each element: `ints` or `strings`. */
type Elements = Column['bounds']['kind'];

/**
 * Returns the kind of elements, `ints` or `strings`, if a field's list may be stored as a column, otherwise undefined. A column stores the
 * elements in one array, without creating a value for each element. This requires that all keywords can be decided from the length and the
 * bounds of the column.
 */
export function columnElements(node: ReaderNode, behaviour: ValidationBehaviour): Elements | undefined {
  const items = readingOf(node) === 'list' ? itemNode(node) : undefined;
  if (items === undefined || node.structural.nullable || items.structural.nullable || node.structural.listType === 'map') return undefined;
  if (items.rules !== undefined && (items.rules.allOf.length > 0 || items.rules.error !== undefined)) return undefined;
  if (!keywordsAbout(node.props, KINDS.array).every(({ fastPaths }) => fastPaths.column !== undefined)) return undefined;
  const reading = readingOf(items);
  if (reading === 'integer') return isConvex(items.props, KINDS.int, behaviour) ? 'ints' : undefined;
  return reading === 'string' && isConvex(items.props, KINDS.string, behaviour) ? 'strings' : undefined;
}

/**
 * Reader of a field whose value is a list of integers or of strings. It stores the list in a column, which has no separate value for each
 * element, and validates the column as a whole.
 */
export class ColumnField {
  readonly #elements: Elements;
  readonly #props: SchemaProps;
  readonly #keywords: readonly VocabularyKeyword[];
  readonly #check: NodeCheck;
  readonly #rules: readonly RuleCall[];
  readonly #itemRules: readonly RuleCall[];
  readonly #isSet: boolean;

  constructor(node: ReaderNode, elements: Elements, behaviour: ValidationBehaviour) {
    const { props, rules, structural } = node;
    this.#elements = elements;
    this.#props = props;
    this.#keywords = keywordsAbout(props, KINDS.array);
    this.#check = compileNode(props.items?.schema as SchemaProps, behaviour);
    this.#rules = callsOf(rules);
    this.#itemRules = callsOf(rules?.items);
    this.#isSet = structural.listType === 'set';
  }

  /**
   * Reads the list at the cursor of `run`. Returns undefined if the list does not fit into a column, is not valid, or has a rule that
   * cannot be evaluated over a column.
   */
  read(run: ReaderRun): Column | undefined {
    const { columns, cursor, token } = run;
    if (columns === undefined) return undefined;
    const column = cursor.column(this.#elements, columns.room);
    if (column === undefined) {
      columns.refuse();
      return undefined;
    }
    const { length } = column;
    if (!this.#keywords.every(({ fastPaths, field }) => fastPaths.column?.(this.#props[field], length) === true)) return undefined;
    if (length > 0 && !this.#check.acceptsAll(column.bounds, length, new SchemaWalk(new Polls(token)))) return undefined;
    if (this.#isSet && !isDistinctColumn(column)) return undefined;
    const passes =
      this.#itemRules.every((rule) => rule.passesOverElements(column, run)) &&
      this.#rules.every((rule) => rule.passesOverColumns(column, run));
    return passes ? column : undefined;
  }
}

const callsOf = (rules: CompiledRules | undefined): readonly RuleCall[] =>
  rules === undefined ? [] : rules.schema.rules.map((_, index) => new RuleCall(rules, index));

/** Returns true if all elements of a column (a list of integers or strings in compact form) are distinct. `false` is inconclusive. */
function isDistinctColumn(column: Column): boolean {
  const { length } = column;
  if (length <= 1) return true;
  if (column instanceof IntColumn) return areDistinctIntegers(column.values, column.bounds);
  return column.bytes === undefined ? areDistinct(stringsOf(column)) : areDistinctTexts(column.bytes, column.places, length);
}

/**
 * Returns the elements of a column as strings. Strings are needed if the text has characters beyond ASCII, because offsets in the text then
 * differ from offsets in the bytes.
 */
function stringsOf({ text, places, length }: TextColumn): readonly string[] {
  return Array.from({ length }, (_, i) => text.slice(places[2 * i], places[2 * i + 1]));
}

/**
 * Number of refusals in a row, by lists or rules that columns cannot handle, after which columns are no longer tried. An accepted document
 * with columns resets the number.
 */
const MAX_REFUSALS = 4;

// All readers share this room, because the thread reads one document at a time, and its columns end with it.
const ROOM = new ColumnRoom();

/** Field whose list is stored in a column, without a value for each element, while the verdict on its object is computed. */
interface HeldColumn {
  readonly object: JsonObject;
  readonly name: string;
  /** Position of the list in the document: byte offsets of its start and its end. */
  readonly from: number;
  readonly to: number;
}

/**
 * Record of the lists that are stored in columns (compact arrays of scalars) instead of JavaScript arrays. Code that is generated for a
 * schema fills the columns while it reads a document. The columns are used for one document at a time.
 */
export class ColumnSet {
  readonly room = ROOM;
  /** Schemas of the lists that may be stored in columns. */
  readonly schemas: ReadonlySet<ValueSchema>;
  /** True if the current document cannot be read with columns. It may still be valid without columns. */
  isRefused = false;
  /** Number of lists of the last accepted document that were stored in columns. */
  #settled = 0;
  readonly #held: HeldColumn[] = [];
  readonly #minBytes: number;
  #refusals = 0;

  /** @param minBytes Minimum size in bytes of documents that are read with columns. */
  constructor(schemas: ReadonlySet<ValueSchema>, minBytes: number) {
    this.schemas = schemas;
    this.#minBytes = minBytes;
  }

  /**
   * Prepares the columns for the next document. Returns false if no list may become a column, the document is too small, or columns were
   * refused too often.
   */
  begin(bytes: Uint8Array): boolean {
    if (this.schemas.size === 0 || bytes.length < this.#minBytes || this.#refusals >= MAX_REFUSALS) return false;
    this.room.begin(bytes.length);
    this.#held.length = 0;
    this.isRefused = false;
    return true;
  }

  /** Records that a list does not fit into a column, or that a rule cannot be evaluated over a column. */
  refuse(): void {
    this.isRefused = true;
    this.#refusals += 1;
  }

  /**
   * Records that field `name` of `object` has its list in a column (values that are read in place) instead of an array. `from` and `to` are
   * the byte offsets of the list in the document.
   */
  hold(object: JsonObject, name: string, from: number, to: number): void {
    this.#held.push({ object, name, from, to });
  }

  /**
   * Returns the reason why the first document of a reader, with the given length in bytes, was read without columns. Returns undefined if it
   * was read with columns. The reader must have accepted the document.
   */
  obstacle(length: number): string | undefined {
    if (this.schemas.size === 0) return 'no list of the schema can become a column';
    if (length < this.#minBytes) return `the object has fewer than ${grouped(this.#minBytes)} bytes of JSON`;
    if (this.isRefused) return 'a list does not fit into a column, or a rule reads it in a way that columns do not support';
    return this.#settled === 0 ? 'the object has no list that can become a column' : undefined;
  }

  /** Restores the lists of an accepted object. Each list is parsed again from the document when it is first accessed. */
  settle(bytes: Uint8Array): void {
    this.#refusals = 0;
    this.#settled = this.#held.length;
    for (const { object, name, from, to } of this.#held) defineLater(object, name, () => listIn(bytes.subarray(from, to)));
    this.#held.length = 0;
  }
}

function listIn(bytes: Uint8Array): JsonValue {
  const reading = readJson(bytes);
  if (!reading.ok) throw new Error(`a list that was read is none: ${reading.error}`);
  return reading.value;
}

/** Defines a field whose value is created on first access. */
function defineLater(object: JsonObject, name: string, make: () => JsonValue): void {
  const define = (value: JsonValue): JsonValue => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => define(make()), set: define, enumerable: true, configurable: true });
}
