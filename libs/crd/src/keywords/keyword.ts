import type { Fragment } from '#cel';
import type { JsonValue } from '#go';
import type { ValidationBehaviour, NodeCheck, SchemaWalk } from '../object/openapi/schema-walk.ts';
import type { Kind } from '../object/openapi/kind.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { Form } from './form.ts';

/** Rule about whether a keyword may occur in branches of `allOf`, `anyOf`, `oneOf` and `not`. */
export type Nesting =
  /** Branches may contain the keyword, because it restricts values. */
  | 'allowed'
  /** Branches must not contain the keyword. */
  | 'forbidden'
  /** Branches may contain the keyword, but Kubernetes minor versions differ in whether it counts as part of a structural schema. */
  | 'documentation'
  /** Branches may contain the keyword, and the schemas in its value are nested schemas. */
  | 'structure'
  /** No schema may contain the keyword. */
  | 'unsupported';

/** Effect of a changed keyword on stored objects. */
export type KeywordChange =
  | { readonly kind: 'bound'; readonly tighter: 'larger' | 'smaller' }
  /** Flag that rejects more values if it is true. */
  | { readonly kind: 'restriction' }
  /** Flag that allows more values if it is true. */
  | { readonly kind: 'permission'; readonly lost: string }
  /**
   * Keyword whose value cannot be called tighter or looser. After any change of the value, a server may reject objects that were valid
   * before, or store them differently. If `loosenedByRemoval` is true, removing the keyword is harmless.
   */
  | { readonly kind: 'exact'; readonly change: string; readonly loosenedByRemoval: boolean }
  /** Keyword that lists the allowed values. */
  | { readonly kind: 'values' }
  /** Keyword that lists the required fields. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'rules' }
  /** Keyword that contains schemas of nested values. Changes are reported at the keywords of these schemas. */
  | { readonly kind: 'structure' }
  | { readonly kind: 'none' };

/** Texts with which an editor explains a keyword. */
export interface KeywordDocs {
  readonly doc: string;
  /** Form of the keyword's value in YAML: a scalar on the same line, or a map or list below. */
  readonly value: 'scalar' | 'map' | 'list';
  /** Values that the keyword may have, if there are only few. */
  readonly values?: readonly string[];
}

/**
 * Position in a generated reader directly after the code that reads a value. A generated reader is code that reads and validates objects.
 * The tests of a keyword are emitted at this position.
 */
export type ReaderSite = {
  readonly behaviour: ValidationBehaviour;
  /** Variable that holds the value that was read. */
  readonly value: Fragment;
  /** Returns the name of the constant that holds `value` in the generated code. */
  readonly constant: (value: unknown) => Fragment;
} & (
  | {
      readonly of: 'string';
      /** Offset of the string's opening quote in the bytes. */
      readonly from: Fragment;
    }
  | { readonly of: 'integer' | 'number' | 'boolean' }
  | {
      readonly of: 'list' | 'map' | 'object';
      /** Code for the number of elements of a list or entries of an object; undefined if only the exact validation counts them. */
      readonly size: Fragment | undefined;
      /**
       * Returns code that makes the reader return undefined unless the named fields are present. The property is undefined if only the
       * exact validation can test this.
       */
      readonly require: ((names: readonly string[]) => Fragment) | undefined;
    }
);

/**
 * Optional methods that decide quickly whether a JSON value satisfies a schema keyword. If a method is missing, the slower exact validation
 * decides, which follows the server's steps one by one.
 */
export interface FastPaths<Value> {
  /**
   * Emits tests that make the reader return undefined unless the value meets the keyword. Returns undefined if only the exact validation
   * can decide whether the value meets it.
   */
  code?(value: Value, site: ReaderSite, props: SchemaProps): Fragment | undefined;
  /** Returns the texts that the keyword allows, or undefined if the keyword does not list them. */
  allowedTexts?(value: Value): readonly string[] | undefined;
  /**
   * Returns true if the keyword holds for every value of `kind` that is between two values for which it holds. Integers are compared by
   * value, and strings by length.
   */
  between?(kind: Kind, value: Value, behaviour: ValidationBehaviour): boolean;
  /**
   * Returns true if every list with `length` elements meets the keyword, regardless of the elements. It decides the keyword for lists in
   * columns, whose elements are not read one by one.
   */
  column?(value: Value, length: number): boolean;
}

/** Complete description of one schema keyword. */
export interface Keyword<Value = unknown> {
  /** Name of the keyword in definitions. */
  readonly name: string;
  /** Name of the field in Go's JSONSchemaProps; undefined if the keyword's name determines it. */
  readonly goField?: string;
  /** Position of the field in Go's struct of v1, from 1. Fractions are used for fields that were added later. */
  readonly position: number;
  /** Position of the field in Go's internal struct, if it differs from `position`. */
  readonly internalPosition?: number;
  /** First Kubernetes minor version that knows the keyword; undefined if all minor versions that Assay knows have it. */
  readonly since?: number;
  readonly form: Form<Value>;
  readonly nesting: Nesting;
  /** Kinds of values that the keyword restricts. */
  readonly appliesTo: readonly Kind[];
  /** True if each restriction of the keyword on an object concerns only a single field. */
  readonly fieldwise?: boolean;
  /** True if the keyword describes the children of a value, which are validated separately. */
  readonly contents?: boolean;
  readonly fastPaths: FastPaths<Value>;
  /**
   * Effect of the keyword on cost estimates; undefined if it has none. `of` is the kind of value that the keyword bounds, and `least` is
   * the keyword whose value the bound must not fall below.
   */
  readonly estimate?: { readonly of: 'list' | 'map' | 'text'; readonly least: keyof SchemaProps };
  readonly change: KeywordChange;
  /** Texts for editors; undefined if definitions must not contain the keyword. */
  readonly docs: KeywordDocs | undefined;
}

/**
 * Function that validates a value against a schema node, for one kind of value such as strings, and adds its errors to `walk`. It is part
 * of the exact validation, which finds all errors but is slower than generated code.
 */
export type ValidationStep = (value: JsonValue, walk: SchemaWalk) => void;

/**
 * Schema node for which the exact validation of values is prepared. The exact validation follows the server's steps one by one and finds
 * all errors, in contrast to the faster generated code.
 */
export interface CheckedNode {
  readonly props: SchemaProps;
  /** Types that the node allows. An empty list allows any type. */
  readonly types: readonly string[];
  /** Format of the node, or empty if the Kubernetes minor version does not know the format. */
  readonly format: string;
  readonly behaviour: ValidationBehaviour;
  /** Returns the check of a schema that is nested in the node. */
  readonly compile: (schema: SchemaProps) => NodeCheck;
}

/** Validation against one group of related schema keywords, with the same steps and errors as a validator of kube-openapi. */
export interface Validator {
  readonly appliesTo: readonly Kind[];
  /**
   * Returns the number of matches that upstream's validator counts for each validated value that is not null. Matches determine the best
   * branch of `anyOf` and `oneOf`.
   */
  matches(node: CheckedNode): number;
  /** Returns the steps of the validation in upstream's order. */
  steps(node: CheckedNode): readonly ValidationStep[];
}

/**
 * Group of related schema keywords. `keywords` contains each keyword by the name of its field in {@link SchemaProps}. `validator` checks
 * values against all keywords of the group.
 */
export interface KeywordFamily<Props> {
  readonly keywords: { readonly [Field in keyof Props]: Keyword<Props[Field]> };
  readonly validator?: Validator;
  /**
   * Returns the names of those keywords of the family that the schema uses although definitions must not contain them. They are in the
   * order of the errors.
   */
  refused?(props: Props): readonly string[];
}
