import type { ValueSchema } from '#cel';
import type { JsonValue } from '#go';
import type { ExternalDocs, ValidationRule } from '../schema/schema-props.ts';

/** Keywords about a value that say nothing of its shape. They may also stand in allOf, anyOf, oneOf and not. */
export interface ValueValidation {
  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly multipleOf: number | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly allOf: readonly NestedValidation[];
  readonly oneOf: readonly NestedValidation[];
  readonly anyOf: readonly NestedValidation[];
  readonly not: NestedValidation | undefined;
}

/** Keywords that give a value its documentation, type and default. */
export interface Generic {
  readonly description: string;
  readonly type: string;
  readonly title: string;
  readonly default: JsonValue | undefined;
  readonly nullable: boolean;
  readonly externalDocs: ExternalDocs | undefined;
  readonly example: JsonValue | undefined;
}

/** The x-kubernetes-* keywords that change a value's structure. */
export interface Extensions {
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
}

/**
 * A structural schema: shape and value validation told apart, so that pruning, defaulting and rules know the one place where a field is
 * declared. Source: apiextensions-apiserver pkg/apiserver/schema/structural.go (1.37).
 */
export interface Structural extends ValueSchema, ValueValidation, Generic, Extensions {
  readonly items: Structural | undefined;
  readonly properties: ReadonlyMap<string, Structural> | undefined;
  readonly additionalProperties: Structural | undefined;
  /** The bool of `additionalProperties`, true beside a schema; undefined when the keyword is absent. */
  readonly additionalPropertiesAllowed: boolean | undefined;
  readonly rules: readonly ValidationRule[];
}

/** Value validation inside allOf, anyOf, oneOf or not, together with what is forbidden there, so that it can be complained about. */
export interface NestedValidation extends ValueValidation {
  readonly rules: readonly ValidationRule[];
  readonly items: NestedValidation | undefined;
  readonly properties: ReadonlyMap<string, NestedValidation> | undefined;
  readonly additionalProperties: NestedValidation | undefined;
  /** Whether `additionalProperties` is false here. */
  readonly closed: boolean;
  readonly forbiddenGenerics: Generic;
  readonly forbiddenExtensions: Extensions;
}

/** What is allowed in junctors beside value validation; nothing of this for definitions. */
export interface StructuralOptions {
  /** Whether `example` and `externalDocs` count as part of a structural schema. */
  readonly documentation: 'counts' | 'ignored';
  readonly nestedAdditionalProperties: boolean;
  /** Whether `additionalProperties: false` in a junctor counts as `additionalProperties`. */
  readonly closedMaps: 'count' | 'ignored';
  readonly nestedRules: boolean;
  readonly propertiesUnderAdditional: boolean;
}
