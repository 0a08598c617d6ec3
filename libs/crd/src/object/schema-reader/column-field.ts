import type { Column, TextColumn } from '#go';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import { compileNode, isConvex } from '../openapi/compile-validator.ts';
import type { NodeCheck, ValidationBehaviour } from '../openapi/check.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import { Polls } from '../write/polls.ts';
import { KINDS } from '../openapi/kind.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { VocabularyKeyword } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { RuleCall } from './pass-rules.ts';
import { itemNode, readingOf } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';
import { IntColumn } from '#go';
import { areDistinct } from '../write/distinct.ts';
import { areDistinctIntegers } from '../write/distinct-integers.ts';
import { areDistinctTexts } from './reader-run.ts';

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
