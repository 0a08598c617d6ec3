import type { ValueSchema } from '#cel';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';

/** The branches of a node's junctors. */
export interface Branches {
  readonly allOf: readonly NestedValidation[];
  readonly oneOf: readonly NestedValidation[];
  readonly anyOf: readonly NestedValidation[];
  readonly not: NestedValidation | undefined;
}

/**
 * A structural schema: shape and value validation told apart, so that pruning, defaulting and rules know the one place where a field is
 * declared. Source: apiextensions-apiserver pkg/apiserver/schema/structural.go (1.37).
 */
export interface Structural extends ValueSchema {
  /** The node that it was made of. */
  readonly props: SchemaProps;
  readonly items: Structural | undefined;
  readonly properties: ReadonlyMap<string, Structural> | undefined;
  readonly additionalProperties: Structural | undefined;
  /** The bool of `additionalProperties`, true beside a schema; undefined when the keyword is absent. */
  readonly additionalPropertiesAllowed: boolean | undefined;
  readonly rules: readonly ValidationRule[];
  readonly branches: Branches;
}

/** A schema inside allOf, anyOf, oneOf or not: it may restrict values, and what it says beyond that can be complained about. */
export interface NestedValidation {
  readonly props: SchemaProps;
  readonly items: NestedValidation | undefined;
  readonly properties: ReadonlyMap<string, NestedValidation> | undefined;
  readonly additionalProperties: NestedValidation | undefined;
  /** True if `additionalProperties` is false here. */
  readonly closed: boolean;
  readonly branches: Branches;
}

/** The keywords that junctors may have besides value validation. For definitions none is allowed. */
export interface StructuralOptions {
  /** `counts` if `example` and `externalDocs` are part of a structural schema. */
  readonly documentation: 'counts' | 'ignored';
  readonly nestedAdditionalProperties: boolean;
  /** `count` if `additionalProperties: false` in a junctor counts as `additionalProperties`. */
  readonly closedMaps: 'count' | 'ignored';
  readonly nestedRules: boolean;
  readonly propertiesUnderAdditional: boolean;
}
