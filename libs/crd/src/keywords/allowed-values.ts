import type { JsonValue } from '#go';
import { enumCheck } from '../object/openapi/enum.ts';
import { EVERY_KIND } from '../object/openapi/kind.ts';
import { VALUES } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';

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
