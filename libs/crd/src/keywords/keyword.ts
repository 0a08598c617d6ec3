import type { Fragment } from '#cel';
import type { JsonValue } from '#go';
import type { Dialect, NodeCheck } from '../object/openapi/check.ts';
import type { Kind } from '../object/openapi/kind.ts';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { Form } from './form.ts';

/** Tells whether the branches of `allOf`, `anyOf`, `oneOf` and `not` may hold a keyword. */
export type Nesting =
  /** They may: it restricts values. */
  | 'allowed'
  /** They must not. */
  | 'forbidden'
  /** They may, but minors differ in whether it counts. */
  | 'documentation'
  /** They may, and its schemas are nested ones. */
  | 'structure'
  /** No schema may hold it. */
  | 'unsupported';

/** The effect on stored objects if a keyword changes. */
export type KeywordChange =
  | { readonly kind: 'bound'; readonly tighter: 'larger' | 'smaller' }
  /** A flag that refuses more if it is true. */
  | { readonly kind: 'restriction' }
  /** A flag that allows more if it is true. */
  | { readonly kind: 'permission'; readonly lost: string }
  /** Any other value may refuse, or store otherwise, what was fine. */
  | { readonly kind: 'exact'; readonly change: string; readonly loosenedByRemoval: boolean }
  /** The values that are allowed. */
  | { readonly kind: 'values' }
  /** Fields that must be there. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'rules' }
  /** Schemas of what is inside: their own keywords change. */
  | { readonly kind: 'structure' }
  | { readonly kind: 'none' };

/** The words by which an editor explains a keyword. */
export interface KeywordWords {
  readonly doc: string;
  /** The form of the value after the colon: a scalar in the same line, or a map or list below it. */
  readonly value: 'scalar' | 'map' | 'list';
  /** The values that it may have, if they are few. */
  readonly values?: readonly string[];
}

/** A place in a generated reader at which a value has been read: tests of a keyword are written there. */
export type CodeSite = {
  readonly dialect: Dialect;
  /** The variable that holds the value. */
  readonly value: Fragment;
  /** Returns the name of a constant. */
  readonly constant: (value: unknown) => Fragment;
} & (
  | {
      readonly of: 'string';
      /** The place of the opening quote in the bytes. */
      readonly from: Fragment;
    }
  | { readonly of: 'integer' | 'number' | 'boolean' }
  | {
      readonly of: 'list' | 'map' | 'object';
      /** The number of elements or entries; undefined if only the exact way counts them. */
      readonly size: Fragment | undefined;
      /** Returns code that is silent unless these fields are there; undefined if only the exact way tells. */
      readonly require: ((names: readonly string[]) => Fragment) | undefined;
    }
);

/** Fast ways to decide a keyword. Each is optional: an absent one means the exact way. */
export interface Ways<Value> {
  /** Returns tests that return undefined from a reader unless the value meets the keyword; undefined: the exact way tells. */
  code?(value: Value, site: CodeSite, props: SchemaProps): Fragment | undefined;
  /** Returns the texts that the keyword allows, if it allows only some; undefined: it does not name them. */
  words?(value: Value): readonly string[] | undefined;
  /** Returns true if the keyword holds for all values of a kind between two for which it holds. */
  between?(kind: Kind, value: Value, dialect: Dialect): boolean;
  /** Returns true if a list of so many elements meets the keyword, whatever the elements are. */
  column?(value: Value, length: number): boolean;
}

/** One keyword of a schema: everything that Assay knows of it. */
export interface Keyword<Value = unknown> {
  /** The name that definitions write. */
  readonly name: string;
  /** The field of Go's JSONSchemaProps, if it does not follow from the name. */
  readonly goField?: string;
  /** The place of the field in the struct of v1, from 1; fractions are new fields. */
  readonly position: number;
  /** The place in the internal struct, if it is another one. */
  readonly internalPosition?: number;
  /** The first minor (number after the dot) that knows it; absent: all that Assay knows. */
  readonly since?: number;
  readonly form: Form<Value>;
  readonly nesting: Nesting;
  /** Kinds of values of which it asks something. */
  readonly concerns: readonly Kind[];
  /** True if it asks of an object no more than single fields tell. */
  readonly fieldwise?: boolean;
  /** True if it describes what is inside of a value, which is judged piece by piece. */
  readonly contents?: boolean;
  readonly ways: Ways<Value>;
  /** Set if estimates of rules depend on it: the values that it bounds, and the field of the keyword that it must not fall below. */
  readonly estimate?: { readonly of: 'list' | 'map' | 'text'; readonly least: keyof SchemaProps };
  readonly change: KeywordChange;
  /** Undefined if no definition may have it. */
  readonly words: KeywordWords | undefined;
}

/** One step of the exact validation of a value against a schema node, for one kind of value, such as strings. It adds its errors to `walk`. */
export type Step = (value: JsonValue, walk: SchemaWalk) => void;

/** A node whose exact check is compiled. */
export interface CheckedNode {
  readonly props: SchemaProps;
  /** Types that the node allows; none: any. */
  readonly types: readonly string[];
  /** The format, as far as the minor knows it; else empty. */
  readonly format: string;
  readonly dialect: Dialect;
  /** Returns the check of a schema inside of the node. */
  readonly compile: (schema: SchemaProps) => NodeCheck;
}

/** A validator of kube-openapi: the exact check of the keywords of a family. */
export interface Validator {
  readonly concerns: readonly Kind[];
  /** Matches that upstream counts for each value that it looks at, null excepted. */
  matches(node: CheckedNode): number;
  /** Returns the steps in upstream's order. */
  steps(node: CheckedNode): readonly Step[];
}

/** Keywords that belong together, by their field in {@link SchemaProps}, with what checks them. */
export interface KeywordFamily<Props> {
  readonly keywords: { readonly [Field in keyof Props]: Keyword<Props[Field]> };
  readonly validator?: Validator;
  /** Returns the names of the family's keywords that a schema uses and no definition may have, in the order of the errors. */
  refused?(props: Props): readonly string[];
  /** Never there: it carries the type of the fields. */
  readonly declares?: Props;
}
