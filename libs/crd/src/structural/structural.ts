import type { ValueSchema } from '#cel';
import { memoizeWeak, writeJson } from '#go';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';

/** Subschemas in a node's keywords `allOf`, `oneOf`, `anyOf` and `not`. */
export interface Branches {
  readonly allOf: readonly NestedValidation[];
  readonly oneOf: readonly NestedValidation[];
  readonly anyOf: readonly NestedValidation[];
  readonly not: NestedValidation | undefined;
}

/**
 * Structural schema. It separates the shape of values from value validation. Each field is declared in exactly one place, and pruning,
 * defaulting and rules use this declaration. Source: apiextensions-apiserver pkg/apiserver/schema/structural.go (1.37).
 */
export interface Structural extends ValueSchema {
  /** Schema node that was converted to this structural node. */
  readonly props: SchemaProps;
  readonly items: Structural | undefined;
  readonly properties: ReadonlyMap<string, Structural> | undefined;
  readonly additionalProperties: Structural | undefined;
  /** Boolean value of `additionalProperties`. True if the keyword is a schema. Undefined if the keyword is absent. */
  readonly additionalPropertiesAllowed: boolean | undefined;
  readonly rules: readonly ValidationRule[];
  readonly branches: Branches;
}

/**
 * Schema inside `allOf`, `anyOf`, `oneOf` or `not`. It may only restrict values. Forbidden keywords are kept so that they can be reported.
 */
export interface NestedValidation {
  readonly props: SchemaProps;
  readonly items: NestedValidation | undefined;
  readonly properties: ReadonlyMap<string, NestedValidation> | undefined;
  readonly additionalProperties: NestedValidation | undefined;
  /** True if the nested schema has `additionalProperties: false`. */
  readonly closed: boolean;
  readonly branches: Branches;
}

/**
 * Options for validating structural schemas. For definitions, `documentation` and `closedMaps` depend on the Kubernetes minor version. The
 * other options allow more keywords inside `allOf`, `anyOf`, `oneOf` and `not`. They are false for all definitions: only the comparison
 * with recorded upstream results sets them to true.
 */
export interface StructuralOptions {
  /** `counts` if `example` and `externalDocs` are part of a structural schema. */
  readonly documentation: 'counts' | 'ignored';
  readonly nestedAdditionalProperties: boolean;
  /**
   * `count` if `additionalProperties: false` inside `allOf`, `anyOf`, `oneOf` or `not` counts as use of the keyword `additionalProperties`.
   */
  readonly closedMaps: 'count' | 'ignored';
  readonly nestedRules: boolean;
  readonly propertiesUnderAdditional: boolean;
}

/** The three fields that every resource has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns a root schema marked as an embedded resource, even if the schema itself has no such mark. The result is always the same object
 * for the same schema, so that caches by schema work.
 */
export function asResourceRoot(schema: Structural): Structural {
  return schema.embeddedResource ? schema : markedRoot(schema);
}

const markedRoot = memoizeWeak((schema: Structural): Structural => ({ ...schema, embeddedResource: true }));

/**
 * Returns a function that tests if `isSaid` is true for a schema or any schema below it. The function caches its result for each node.
 * Traversals skip a subtree if the function returns false for it.
 */
function remembered(isSaid: (schema: Structural) => boolean): (schema: Structural) => boolean {
  const holds: (schema: Structural) => boolean = memoizeWeak((schema) => {
    if (isSaid(schema) || (schema.items !== undefined && holds(schema.items))) return true;
    if (schema.additionalProperties !== undefined && holds(schema.additionalProperties)) return true;
    return [...(schema.properties?.values() ?? [])].some(holds);
  });
  return holds;
}

/**
 * Returns true if the schema or any schema below it is an embedded resource. Most schemas have none, so traversals for embedded resources
 * can end early.
 */
export const hasEmbedded = remembered(({ embeddedResource }) => embeddedResource);

/** Returns true if the schema or any schema below it is a list of type `set` or `map`. */
export const hasListTypes = remembered(({ listType }) => listType === 'set' || listType === 'map');

/** Returns true if the schema or any schema below it has a default. */
export const hasDefaults = remembered((schema) => schema.default !== undefined);

/** Returns true if any default in a schema contains a character of two UTF-16 code units, in a value or in a key. */
export const hasWideDefaults = remembered((schema) => schema.default !== undefined && /[\ud800-\udfff]/.test(writeJson(schema.default)));
