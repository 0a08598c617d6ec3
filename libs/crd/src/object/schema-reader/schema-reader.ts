import { EvaluationPanic } from '#cel';
import type { Linker } from '#cel';
import type { JsonObject } from '#go';
import { behaviourOf } from '../../minors/validation-behaviour.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { hasDefaults, hasWideDefaults, META_FIELDS } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import type { ObjectWrite, SentIdentity, ValidationOptions } from '../../verdict.ts';
import type { ServedVersion } from '../served-version.ts';
import { emitValue } from './emit-value.ts';
import { resourceBody } from './emit-resource.ts';
import { ColumnSet } from './columns.ts';
import { keywordCheck, unreadableKeyword } from './reader-node.ts';
import { ReaderCode } from './reader-code.ts';
import type { ReaderNode } from './reader-node.ts';
import { ReaderRun } from './reader-run.ts';
import { RemainingUpdateChecks } from './remaining-update-checks.ts';

/**
 * Sizes above which generated code that reads objects uses two techniques. It reads the lists of large documents into columns. It joins the
 * rules of a schema node with many values into one function.
 */
export interface ReaderThresholds {
  /** Minimum size in bytes of documents whose lists are read into columns, which have no separate value for each element. */
  readonly columnBytes: number;
  /** Number of values of a node after which its rules are joined into one function. */
  readonly nodeValues: number;
}

/** A generated reader, or the reason why no reader can be generated. */
export type ReaderResult = { readonly ok: true; readonly reader: SchemaReader } | { readonly ok: false; readonly obstacle: string };

/** Object of a create request that a generated reader ({@link SchemaReader}) accepted as valid. */
export interface AcceptedObject {
  /** Object in the form that storage receives. */
  readonly object: JsonObject;
  /** Cost of the object's rules, in cost units. */
  readonly cost: number;
  readonly sent: SentIdentity;
  /** True if the reader dropped the object's resourceVersion. */
  readonly tookOff: boolean;
}

/**
 * New object of an update that the generated schema reader accepted as valid, without regard to the old object. `judge` completes the
 * validation with the old object.
 */
export interface ReadUpdate {
  /** Object in its sent form with defaults. It has no status if the status has a subresource. */
  readonly object: JsonObject;
  readonly sent: SentIdentity;
  /**
   * Validates the parts of the update that depend on the old object. `updated` is the new object in the form that is to be stored.
   * @returns Cost of all rules in cost units if everything is valid; undefined is inconclusive. Throws `Cancelled`.
   */
  readonly judge: (updated: JsonObject, old: JsonObject) => number | undefined;
}

/**
 * Generated code that parses and validates the JSON bytes of an object in a create or update request, according to the object's schema.
 *
 * It accepts an object if the object needs no pruning and causes no warnings. In an accepted object, defaults are filled, keywords and list
 * types hold, metadata is valid, and all rules are true. The result contains the cost of the rules. The generated code never rejects an
 * object and produces no errors. For all other objects, the exact validation, which uses no generated code, computes the verdicts from the
 * same bytes (`validate-object.ts`).
 */
export class SchemaReader {
  readonly #read: () => unknown;
  readonly #run: ReaderRun;
  readonly #columns: ColumnSet;
  readonly #remainingChecks: RemainingUpdateChecks | undefined;

  private constructor(read: () => unknown, run: ReaderRun, columns: ColumnSet, remainingChecks: RemainingUpdateChecks | undefined) {
    this.#read = read;
    this.#run = run;
    this.#columns = columns;
    this.#remainingChecks = remainingChecks;
  }

  /**
   * Generates a reader. Returns the reason if the schema is not supported, or if the host forbids code from strings.
   *
   * @param thresholds Thresholds from which the reader uses more expensive techniques.
   */
  static generate(version: ServedVersion, props: SchemaProps, link: Linker, thresholds: ReaderThresholds): ReaderResult {
    const { structural, rules, wording } = version;
    const node: ReaderNode = { structural, props, rules, isFixedPlace: true };
    const obstacle = obstacleTo(version, node);
    if (obstacle !== undefined) return { ok: false, obstacle };
    const run = new ReaderRun(hasWideDefaults(structural));
    const { columnBytes, nodeValues } = thresholds;
    const code = new ReaderCode(run, { behaviour: behaviourOf(version.minor), wording, linker: link, warmupValues: nodeValues }, emitValue);
    const result = code.link(code.define(resourceBody(code, node, version)));
    if (!result.ok) return result;
    const columns = new ColumnSet(code.columns, columnBytes);
    return { ok: true, reader: new SchemaReader(result.linked as () => unknown, run, columns, RemainingUpdateChecks.of(version, node)) };
  }

  /** Returns the reason why the first object that the reader accepted, with the given length in bytes, has no list in a column. */
  columnObstacle(length: number): string | undefined {
    return this.#columns.obstacle(length);
  }

  /**
   * Reads the bytes of a create. If the result is undefined, the exact validation must compute the verdict. Throws `Cancelled` if the token
   * in the options is cancelled.
   */
  read(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): AcceptedObject | undefined {
    const object = this.#columns.begin(bytes) ? this.#readWithColumns(bytes, write, options) : this.#readObject(bytes, write, options);
    const { cost, sent, tookOff } = this.#run;
    return object && { object, cost, sent, tookOff };
  }

  /** Reads the bytes of an update of the whole object, not only of its status. See {@link read}. */
  readUpdate(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined {
    const remainingChecks = this.#remainingChecks;
    const object = remainingChecks && this.#readObject(bytes, write, options);
    if (object === undefined) return undefined;
    const { cost, costLimit, budget, sent } = this.#run;
    const { token } = options;
    const judge = (updated: JsonObject, old: JsonObject): number | undefined => {
      const rest = remainingChecks?.judge(updated, old, { costLimit, budget: budget - cost, token });
      return rest === undefined ? undefined : cost + rest;
    };
    return { object, sent, judge };
  }

  /**
   * Reads a large document with its lists in columns, without a value for each element. If a list does not fit into a column, or a rule
   * cannot be evaluated over columns, reads the document without columns.
   */
  #readWithColumns(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): JsonObject | undefined {
    const run = this.#run;
    const columns = this.#columns;
    let object: JsonObject | undefined;
    run.columns = columns;
    try {
      object = this.#readObject(bytes, write, options);
    } finally {
      run.columns = undefined;
    }
    if (object === undefined) return columns.isRefused ? this.#readObject(bytes, write, options) : undefined;
    columns.settle(bytes);
    return object;
  }

  #readObject(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): JsonObject | undefined {
    const run = this.#run;
    if (!run.begin(bytes, write, options)) return undefined;
    try {
      run.cursor.at = run.cursor.skip(0);
      const object = this.#read();
      // If the cost equals the budget, the order of the rules decides whether Kubernetes accepts the object. The exact code knows this
      // order.
      if (object === undefined || !run.cursor.isAtEnd || run.cost >= run.budget) return undefined;
      return object as JsonObject;
    } catch (thrown) {
      // An EvaluationPanic means that Kubernetes panics. A RangeError means that the object is too deep for the stack of JavaScript. The
      // exact code handles both.
      if (thrown instanceof EvaluationPanic || thrown instanceof RangeError) return undefined;
      throw thrown;
    } finally {
      run.end();
    }
  }
}

/**
 * Returns the reason why the reader does not support the root of a schema, or undefined if it does. Among other things, the root must be a
 * non-nullable object without additionalProperties, a format, or rules on its type and metadata.
 */
function obstacleTo(version: ServedVersion, { structural, props, rules }: ReaderNode): string | undefined {
  const keyword = unreadableKeyword(props);
  if (keyword !== undefined) return `the root of the schema has the keyword ${keyword.name}, which no reader knows`;
  if (version.preserveUnknownFields) return 'the definition has preserveUnknownFields';
  if (structural.type !== 'object') return 'the root of the schema is not of type object';
  if (structural.embeddedResource) return 'the root of the schema is an embedded resource';
  if (structural.nullable) return 'the root of the schema is nullable';
  if (structural.additionalPropertiesAllowed !== undefined) return 'the root of the schema has additionalProperties';
  if (props.format !== '') return 'the root of the schema has a format';
  if (rules?.error !== undefined) return 'the rules at the root of the schema have no CEL type';
  if (rules !== undefined && rules.allOf.length > 0) return 'the root of the schema has rules inside allOf';
  const about = rules?.properties.find(([name]) => META_FIELDS.has(name))?.[0];
  if (about !== undefined) return `the schema has a rule at ${about}`;
  const behaviour = behaviourOf(version.minor);
  const agrees = (name: 'apiVersion' | 'kind'): boolean => {
    const declared = props.properties?.get(name);
    return declared === undefined || keywordCheck(declared, behaviour)(version[name]);
  };
  if (!agrees('apiVersion') || !agrees('kind')) return 'the schema forbids the apiVersion or the kind of its own objects';
  if (restrictsMetadata(structural.properties?.get('metadata')))
    return 'the schema of metadata has defaults, lists, maps, or fields other than strings';
  return undefined;
}

/**
 * Returns true if the schema of metadata has defaults, is an embedded resource, or declares lists, maps or fields other than strings. The
 * reader's metadata validation does not support this. Keywords are checked elsewhere.
 */
function restrictsMetadata(metadata: Structural | undefined): boolean {
  if (metadata === undefined) return false;
  return hasDefaults(metadata) || metadata.embeddedResource || hasLists(metadata);
}

const hasLists = ({ properties, additionalProperties, items }: Structural): boolean =>
  items !== undefined || additionalProperties !== undefined || [...(properties?.values() ?? [])].some(({ type }) => type !== 'string');
