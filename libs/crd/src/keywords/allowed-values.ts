import { deepEqualJson, floatOf, isJsonInt, writeJson } from '#go';
import type { JsonValue } from '#go';
import { notSupported } from '#kube';
import { toInt64 } from '../object/openapi/json-integer.ts';
import { EVERY_KIND } from '../object/openapi/kind.ts';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';
import { exactChange, keywordWithoutChecks } from './form.ts';
import { FLAG, TEXT, VALUES } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';

/** Keywords that restrict the type of a value. */
export interface TypeKeywords {
  readonly type: string;
  readonly nullable: boolean;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends TypeKeywords {}
}

/** Declaration of the keywords in {@link TypeKeywords}. They are checked before all other keywords, see `compile-validator.ts`. */
export const types: KeywordFamily<TypeKeywords> = {
  keywords: {
    type: keywordWithoutChecks('type', TEXT, {
      position: 5,
      nesting: 'forbidden',
      docs: {
        doc: 'object, array, string, integer, number or boolean',
        value: 'scalar',
        values: ['object', 'array', 'string', 'integer', 'number', 'boolean'],
      },
      change: exactChange('type changed'),
    }),
    nullable: keywordWithoutChecks('nullable', FLAG, {
      position: 37,
      internalPosition: 5.5,
      nesting: 'forbidden',
      docs: { doc: 'True if null is allowed.', value: 'scalar', values: ['true', 'false'] },
      change: { kind: 'permission', lost: 'null no longer allowed' },
    }),
  },
};

/** Keyword that lists the allowed values. */
export interface AllowedValues {
  readonly enum: readonly JsonValue[] | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends AllowedValues {}
}

const isText = (value: JsonValue): value is string => typeof value === 'string';

/**
 * Group that contains the schema keyword `enum`, with its validator. Source: kube-openapi pkg/validation/validate/validator.go
 * `basicCommonValidator`.
 */
export const allowedValues: KeywordFamily<AllowedValues> = {
  keywords: {
    enum: {
      name: 'enum',
      position: 20,
      form: VALUES,
      nesting: 'allowed',
      appliesTo: EVERY_KIND,
      fastPaths: { allowedTexts: (values) => (values?.every(isText) === true ? values : undefined) },
      change: { kind: 'values' },
      docs: { doc: 'The values that are allowed.', value: 'list' },
    },
  },
  validator: {
    appliesTo: EVERY_KIND,
    matches: () => 1,
    steps: ({ props }) => (props.enum === undefined || props.enum.length === 0 ? [] : [enumCheck(props.enum)]),
  },
};

/**
 * Returns true if a value equals an enum element after conversion to the element's type, as Go's reflection converts it. null equals
 * nothing.
 */
function matches(value: JsonValue, element: JsonValue): boolean {
  if (value === null || element === null) return false;
  if (typeof element === 'string') {
    if (typeof value === 'string') return value === element;
    // Go's conversion of an integer to a string returns the character with this code point.
    return isJsonInt(value) && element === codePoint(value);
  }
  if (isJsonInt(element)) {
    const float = floatOf(value);
    return float === undefined ? value === element : toInt64(float) === BigInt(element);
  }
  const float = floatOf(element);
  if (float !== undefined) return (isJsonInt(value) ? Number(value) : floatOf(value)) === float;
  return deepEqualJson(value, element);
}

function codePoint(value: number | bigint): string {
  const code = Number(value);
  return code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}

/** Returns the elements of an enum as Go's `%v` prints a slice. The text only serves to distinguish findings. */
function listText(elements: readonly JsonValue[]): string {
  return `[${elements.map((element) => (typeof element === 'string' ? element : writeJson(element))).join(' ')}]`;
}

/**
 * Returns a function that checks if a value is one of `elements`, the values of the keyword `enum`. Source: kube-openapi
 * pkg/validation/validate/validator.go `basicCommonValidator`.
 */
function enumCheck(elements: readonly JsonValue[]): (value: JsonValue, walk: SchemaWalk) => void {
  const strings = new Set(elements.filter((element) => typeof element === 'string'));
  const supported = elements.map((element) => (typeof element === 'string' ? element : writeJson(element)));
  return (value, walk) => {
    if (typeof value === 'string' ? strings.has(value) : elements.some((element) => matches(value, element))) return;
    const name = walk.name;
    const text = `${name} in body should be one of ${listText(elements)}`;
    walk.add({ text, name, toError: (field) => notSupported(field, value, supported) });
  };
}
