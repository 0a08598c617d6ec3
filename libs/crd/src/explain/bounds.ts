import { escapeFieldName, PATH_STEP, expressionsHave } from '#cel';
import type { SizedPath } from '#cel';
import { codePointLength, maxTextLength } from '#go';
import { longestOfFormat } from '#kube';
import type { Minor } from '#kube';
import type { Keyword } from '../keywords/keyword.ts';
import { formatMinor } from '../minors/minors.ts';
import { childAt, fieldsText, schemaPathText, withNode } from '../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { META_FIELDS } from '../structural/structural.ts';

/** Bound of a list, map or text on which the estimated cost of a rule depends. The bound may be present or missing. */
export interface SchemaBound {
  readonly path: SchemaPath;
  /** Path of the bounded field in objects, such as `spec.rules[*].name`. */
  readonly fields: string;
  readonly keyword: BoundKeyword;
  /** Value of the bound; undefined if there is none. Without a bound, the largest possible request limits the size. */
  readonly value: bigint | undefined;
  /** Lower limit for the bound: the value of the opposite keyword, such as `minItems`. */
  readonly least: bigint;
  /**
   * Largest size that other keywords of the value permit, such as `pattern`; undefined if there is none. The cost estimate ignores it. A
   * bound of this size breaks no object.
   */
  readonly permitted: bigint | undefined;
  /** Effect of the bound: it limits either the number of evaluations of the rule, or the cost of one evaluation. */
  readonly drives: 'evaluations' | 'size';
}

/** Change of a bound in a schema, such as `maxItems`: the bound and its new value. */
export interface BoundChange {
  readonly bound: SchemaBound;
  readonly value: bigint;
}

/** Set of bounds that together bring a cost under its limit. */
export interface Suggestion {
  readonly changes: readonly BoundChange[];
  /** Estimated cost under the changed bounds, in cost units. */
  readonly cost: bigint;
}

/** Formats whose maximum length the server knows without `maxLength`. */
const SIZED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'duration']);

/** Returns the bounds of the lists and maps around a node. Their sizes determine how often the node's rules are evaluated. */
export function boundsAbove(root: SchemaProps, path: SchemaPath, minor: Minor): SchemaBound[] {
  return path.flatMap((step, i) => (step.kind === 'property' ? [] : (boundAt(root, path.slice(0, i), 'evaluations', minor) ?? [])));
}

/**
 * Returns the size bounds, such as `maxItems`, of the values on whose sizes an expression's cost estimate depends. `sized` contains the
 * paths of these values, relative to the schema node at `path`. The function `sizedPaths` returns such paths.
 */
export function boundsOfSizes(root: SchemaProps, path: SchemaPath, sized: readonly SizedPath[], minor: Minor): SchemaBound[] {
  return sized.flatMap((steps) => {
    const reached = follow(root, path, steps);
    return (reached && boundAt(root, reached, 'size', minor)) ?? [];
  });
}

/**
 * Function that returns the schema of a value, with the changed value of its size bound, such as `maxLength`. It returns undefined if no
 * change applies to the value. The path of the value begins at the node of a rule.
 */
export type ResizedNodes = (steps: SizedPath, changes: readonly BoundChange[]) => SchemaProps | undefined;

/** Returns the resized schemas of the values that a rule at `path` reads. The fields of these values are remembered. */
export function resizedNodes(root: SchemaProps, path: SchemaPath): ResizedNodes {
  const known = new Map<string, string | undefined>();
  const fieldsAt = (steps: SizedPath): string | undefined => {
    const key = JSON.stringify(steps);
    if (known.has(key)) return known.get(key);
    const reached = follow(root, path, steps);
    const fields = reached && fieldsText(reached);
    known.set(key, fields);
    return fields;
  };
  return (steps, changes) => {
    const fields = changes.length === 0 ? undefined : fieldsAt(steps);
    const change = fields === undefined ? undefined : changes.find(({ bound }) => bound.fields === fields);
    const node = change && nodeAt(root, change.bound.path);
    return node && { ...node, [change.bound.keyword]: Number(change.value) };
  };
}

/** Removes bounds with the same path. The first bound with each path is kept. */
export function distinctBounds(bounds: readonly SchemaBound[]): SchemaBound[] {
  return [...new Map(bounds.toReversed().map((bound) => [schemaPathText(bound.path), bound])).values()].toReversed();
}

/** Returns a copy of a schema with changed bounds. */
export function withBounds(schema: SchemaProps, changes: readonly BoundChange[]): SchemaProps {
  return changes.reduce(
    (changed, { bound, value }) => withNode(changed, bound.path, (node) => ({ ...node, [bound.keyword]: Number(value) })),
    schema,
  );
}

/**
 * Returns the size bound of the node at a path, which may be missing. Returns undefined if the values have no size, or if the server
 * already knows the largest size.
 */
export function boundAt(root: SchemaProps, path: SchemaPath, drives: SchemaBound['drives'], minor: Minor): SchemaBound | undefined {
  const schema = nodeAt(root, path);
  const bounded = schema && boundedSize(schema, minor);
  if (schema === undefined || bounded === undefined) return undefined;
  const keyword = schema.vocabulary.keywords.find(({ estimate }) => estimate?.of === bounded);
  if (keyword?.estimate === undefined) return undefined;
  const [value, least] = [schema[keyword.field], schema[keyword.estimate.least]] as readonly SchemaProps[BoundKeyword][];
  return {
    path,
    fields: fieldsText(path),
    keyword: keyword.field as BoundKeyword,
    value: value === undefined ? undefined : BigInt(value),
    least: BigInt(least ?? 0),
    permitted: permittedSize(schema, keyword.field as BoundKeyword, minor),
    drives,
  };
}

/**
 * Returns the kind of value whose size a keyword can limit at a node: `list`, `map` or `text`. Returns undefined if the values have no such
 * size, or if the server already knows a limit.
 */
function boundedSize(schema: SchemaProps, minor: Minor): NonNullable<Keyword['estimate']>['of'] | undefined {
  if (schema.intOrString) return expressionsHave(minor, 'intOrStringIsBounded') ? 'text' : undefined;
  switch (schema.type) {
    case 'array':
      return 'list';
    case 'object':
      return schema.additionalProperties?.schema === undefined ? undefined : 'map';
    case 'string':
      return SIZED_FORMATS.has(schema.format) || ((schema.enum?.length ?? 0) > 0 && schema.maxLength === undefined) ? undefined : 'text';
    default:
      return undefined;
  }
}

/**
 * Returns the node at the end of a path. Returns undefined inside fields that every resource has, such as `metadata`, because definitions
 * cannot limit them.
 */
function nodeAt(root: SchemaProps, path: SchemaPath): SchemaProps | undefined {
  let node = root;
  for (const [i, step] of path.entries()) {
    const isResource = i === 0 || node.embeddedResource;
    const child = isResource && step.kind === 'property' && META_FIELDS.has(step.name) ? undefined : childAt(node, step);
    if (child === undefined) return undefined;
    node = child;
  }
  return node;
}

/** Converts steps with CEL field names to a schema path, starting at the node at `path`. Returns undefined if a step has no schema node. */
function follow(root: SchemaProps, path: SchemaPath, steps: SizedPath): SchemaPath | undefined {
  const reached = [...path];
  let node = nodeAt(root, path);
  for (const name of steps) {
    const step = node && stepOf(node, name);
    if (node === undefined || step === undefined) return undefined;
    reached.push(step);
    node = childAt(node, step);
  }
  return reached;
}

function stepOf({ type, properties }: SchemaProps, name: string): SchemaStep | undefined {
  // A path step does not say whether it leads into a list or into a map. The type of the schema node does.
  if (name === PATH_STEP.items || name === PATH_STEP.values) return { kind: type === 'array' ? 'items' : 'additionalProperties' };
  const isPlain = properties?.has(name) === true && escapeFieldName(name) === name;
  const property = isPlain ? name : [...(properties?.keys() ?? [])].find((key) => escapeFieldName(key) === name);
  return property === undefined ? undefined : { kind: 'property', name: property };
}

/** A keyword that bounds the size of a value. */
export type BoundKeyword = 'maxItems' | 'maxLength' | 'maxProperties';

/**
 * Returns the largest size that a schema node permits without its own bound `keyword`. An `enum`, a `format`, a `pattern`, and the branches
 * of `allOf`, `anyOf` and `oneOf` may limit it. A cost estimate ignores these limits. Sizes are numbers of elements, entries or code points.
 * Returns undefined if there is no limit.
 */
function permittedSize(schema: SchemaProps, keyword: BoundKeyword, minor: Minor): bigint | undefined {
  const size = Math.min(ownSize(schema, keyword, minor), branchesSize(schema, keyword, minor));
  return Number.isFinite(size) ? BigInt(size) : undefined;
}

/** Returns the size that the keywords of one node permit, without its branches and its own bound. */
function ownSize({ enum: values, format, pattern }: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  if (keyword !== 'maxLength') return Infinity;
  const lengths = values?.map((value) => (typeof value === 'string' ? codePointLength(value) : 0)) ?? [];
  return Math.min(
    lengths.length > 0 ? Math.max(...lengths) : Infinity,
    format === '' ? Infinity : (longestOfFormat(format, formatMinor(minor)) ?? Infinity),
    pattern === '' ? Infinity : maxTextLength(pattern),
  );
}

function branchesSize({ allOf, anyOf, oneOf }: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  const sizes = (branches: readonly SchemaProps[]): number[] => branches.map((branch) => branchSize(branch, keyword, minor));
  const alternatives = [anyOf, oneOf].filter((branches) => branches.length > 0).map((branches) => Math.max(...sizes(branches)));
  return Math.min(...sizes(allOf), ...alternatives);
}

function branchSize(branch: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  const bound = branch[keyword];
  const own = bound === undefined ? Infinity : Math.max(0, Number(bound));
  return Math.min(own, ownSize(branch, keyword, minor), branchesSize(branch, keyword, minor));
}
