import { escapeFieldName, PATH_STEP, expressionsHave } from '#cel';
import type { SizedPath } from '#cel';
import type { Minor } from '#kube';
import type { Keyword } from '../keywords/keyword.ts';
import { childAt, fieldsText, schemaPathText, withNode } from '../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { META_FIELDS } from '../structural/resource-root.ts';

/** A keyword that bounds the size of a value. */
export type BoundKeyword = 'maxItems' | 'maxLength' | 'maxProperties';

/** A place in a schema where a bound drives what a rule is estimated to cost, whether there is a bound or not. */
export interface SchemaBound {
  readonly path: SchemaPath;
  /** The fields in question: `spec.rules[*].name`. */
  readonly fields: string;
  readonly keyword: BoundKeyword;
  /** Undefined when unbounded: then the largest request decides. */
  readonly value: bigint | undefined;
  /** The keyword's counterpart, which the bound must not fall below. */
  readonly least: bigint;
  /** The effect of the bound: on the number of evaluations of the rule, or on the cost of one evaluation. */
  readonly drives: 'evaluations' | 'size';
}

/** A new value of a bound. */
export interface BoundChange {
  readonly bound: SchemaBound;
  readonly value: bigint;
}

/** Bounds that, set together, bring a cost under its limit. */
export interface Suggestion {
  readonly changes: readonly BoundChange[];
  /** The cost with them. */
  readonly cost: bigint;
}

/** A cost over its limit, and the function that estimates it again under other bounds. */
export interface OverLimit {
  readonly limit: bigint;
  readonly bounds: readonly SchemaBound[];
  /** The cost under changed bounds, estimated anew. */
  readonly estimate: (changes: readonly BoundChange[]) => bigint;
  /**
   * Returns true if the server accepts the schema with these bounds, all else unchanged. The schema compiles, its cost
   * is within the limit, and no default becomes too long.
   */
  readonly isValid: (changes: readonly BoundChange[]) => boolean;
}

/** Formats whose length the server knows by itself. */
const SIZED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'duration']);

/** Returns the lists and maps above a node: their sizes multiply how often its rules are evaluated. */
export function boundsAbove(root: SchemaProps, path: SchemaPath, minor: Minor): SchemaBound[] {
  return path.flatMap((step, i) => (step.kind === 'property' ? [] : (boundAt(root, path.slice(0, i), 'evaluations', minor) ?? [])));
}

/** Returns the bounds of values whose size an expression's estimate asks for. `sized` are steps from the node at `path`, as `sizedPaths` gives them. */
export function boundsOfSizes(root: SchemaProps, path: SchemaPath, sized: readonly SizedPath[], minor: Minor): SchemaBound[] {
  return sized.flatMap((steps) => {
    const reached = follow(root, path, steps);
    return (reached && boundAt(root, reached, 'size', minor)) ?? [];
  });
}

/** The schema, with its changed bound, of the value that steps from the node at `path` lead to; undefined where no change is about it. */
export function resizedNode(
  root: SchemaProps,
  path: SchemaPath,
  steps: SizedPath,
  changes: readonly BoundChange[],
): SchemaProps | undefined {
  const reached = follow(root, path, steps);
  const change = reached && changes.find(({ bound }) => bound.fields === fieldsText(reached));
  const node = change && nodeAt(root, change.bound.path);
  return node && { ...node, [change.bound.keyword]: Number(change.value) };
}

/** Returns each place once, the first of them. */
export function distinctBounds(bounds: readonly SchemaBound[]): SchemaBound[] {
  return [...new Map(bounds.toReversed().map((bound) => [schemaPathText(bound.path), bound])).values()].toReversed();
}

/** Returns a schema with other bounds. */
export function withBounds(schema: SchemaProps, changes: readonly BoundChange[]): SchemaProps {
  return changes.reduce(
    (changed, { bound, value }) => withNode(changed, bound.path, (node) => ({ ...node, [bound.keyword]: Number(value) })),
    schema,
  );
}

function boundAt(root: SchemaProps, path: SchemaPath, drives: SchemaBound['drives'], minor: Minor): SchemaBound | undefined {
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
    drives,
  };
}

/**
 * Returns the kind of size that a keyword may bound in a node's values. Undefined if there is no such size, or if the
 * server already knows a bound.
 */
function boundedSize(schema: SchemaProps, minor: Minor): NonNullable<Keyword['estimate']>['of'] | undefined {
  if (schema.intOrString) return expressionsHave(minor, 'intOrStringIsBounded') ? 'text' : undefined;
  switch (schema.type) {
    case 'array':
      return 'list';
    case 'object':
      return schema.additionalProperties?.schema === undefined ? undefined : 'map';
    case 'string':
      return SIZED_FORMATS.has(schema.format) || (schema.enum?.length ?? 0) > 0 ? undefined : 'text';
    default:
      return undefined;
  }
}

/** Returns the node at the end of a path; undefined within what every resource has, since definitions may not bound that. */
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

/** Returns the schema path of steps as CEL names them. */
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
  // Source: schema-size.ts of the CEL library: either step leads into lists and maps alike.
  if (name === PATH_STEP.items || name === PATH_STEP.values) return { kind: type === 'array' ? 'items' : 'additionalProperties' };
  const property = [...(properties?.keys() ?? [])].find((key) => escapeFieldName(key) === name);
  return property === undefined ? undefined : { kind: 'property', name: property };
}
