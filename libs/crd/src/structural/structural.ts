import type { ValueSchema } from '#cel';
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
